# The image contains one static program and runs `pitboss serve`; other commands follow its name, for
# example `docker run ... pitboss verify`. compose.yaml shows the settings.

FROM node:22-bookworm-slim AS front
WORKDIR /src/static
COPY static/package.json static/package-lock.json static/.npmrc ./
RUN npm ci
COPY static ./
RUN npm run build

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=front /src/static/dist static/dist
# docker build --build-arg VERSION=1.2.3 names a release.
ARG VERSION=
RUN CGO_ENABLED=0 go build -buildvcs=false -trimpath ${VERSION:+-ldflags "-X main.version=$VERSION"} -o /pitboss ./cmd/pitboss

FROM debian:bookworm-slim
# The root certificates that the platform's certificate is verified with.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /pitboss /usr/local/bin/pitboss
RUN useradd --system --no-create-home --uid 10001 pitboss && install -d -o pitboss /var/lib/pitboss
USER pitboss
EXPOSE 8080 8081
ENTRYPOINT ["pitboss"]
CMD ["serve"]
