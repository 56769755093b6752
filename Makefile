# Pitboss. `make run` starts a living site, `make test` runs the tests, `make check` the long ones too, as CI does.
#
# Nothing needs to be edited first. On Debian, as root, make installs the programs that are missing (a C compiler for
# the race detector, MariaDB, a browser); for anyone else it prints the command.

# All targets build with the same flags, so that they share one build cache. Only the race detector needs cgo (see .ci/test).
export GOFLAGS := -buildvcs=false -trimpath
export CGO_ENABLED := 0

FUZZTIME ?= 30s

# How many operations `make test-faults` waits for in total; a million with PITBOSS_PROVE=1.
OPERATIONS ?=

# How many operations `make test-mixed` follows on both databases together.
MIXED ?= 1000000

# The version of a release, as in make build VERSION=1.2.3. Default: the one in cmd/pitboss/version.go.
VERSION ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run build front test pictures race test-long test-clock test-busy test-cluster test-faults test-mixed check lint format vulncheck needs-all needs-mariadb bench attack prove fuzz keep-release dist dist-check clean var/pitboss var/bench var/withmariadb

# The times are for two fast cores with a warm Go build cache; a busy machine or a slow disk takes several times as long.
help: ## list the targets, and how long each takes on two fast cores (at once)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: build ## build and start the demo: a casino with three weeks of history and a platform that plays (a minute or two at first, then seconds)
	@exec var/pitboss demo

build: front var/pitboss ## build the front end and var/pitboss (a minute at first, then seconds)

# Go knows best whether there is anything to build.
var/pitboss:
	@go build $(if $(VERSION),-ldflags "-X main.version=$(VERSION)") -o $@ ./cmd/pitboss

var/bench:
	@go build -o $@ ./cmd/bench

var/withmariadb:
	@go build -o $@ ./cmd/testing/withmariadb

front: static/dist/manifest.json

static/node_modules/.package-lock.json: static/package.json static/package-lock.json static/.npmrc
	cd static && npm ci
	@touch $@

# The prerequisites include folders, so that a removed source file is noticed too.
static/dist/manifest.json: static/node_modules/.package-lock.json static/build.js $(shell find static/src)
	cd static && npm run --silent build
	@touch $@

# Run before anything is built, so that a person without root learns at once what to install.
needs-all:
	@.ci/need compiler mariadb galera balancer backup browser

needs-mariadb:
	@.ci/need mariadb

test: needs-all front var/withmariadb ## run the tests, those of the store on SQLite and MariaDB, the quick ones first; the longest are in test-long (7 minutes; 9 the first time)
	@var/withmariadb -- .ci/test

# TestWorkdayJourneys compares the words of the pages with those that they had when the pictures were taken.
pictures: needs-all front var/withmariadb ## take the pictures of README.md and the handbook again, from the demo's data (a minute)
	@PITBOSS_PICTURES=1 var/withmariadb -- go test -vet=off -count=1 -run '^TestWorkdayJourneys$$' ./cmd/pitboss

race: needs-all front var/withmariadb ## run the tests of goroutines that share state under the race detector (7 minutes)
	@var/withmariadb -- .ci/test race

test-long: needs-all front var/withmariadb ## run the long tests: pages in both themes and widths, forms in every choice, a cluster, faults, backups (7 minutes)
	@var/withmariadb -- .ci/test long

test-clock: front ## run the quick tests at the ends of days, months and daylight saving time, in three time zones (5 minutes)
	@.ci/test clock

test-busy: front ## run the quick tests beside eight programs that compute (5 minutes)
	@.ci/test busy

test-cluster: front ## three Galera nodes, three instances: collisions, lost and partitioned nodes; prints figures (10 minutes)
	@.ci/need mariadb galera balancer
	@PITBOSS_PROVE=1 go test -vet=off -count=1 -timeout 1h -v -run '^TestCluster$$' ./cmd/pitboss

check: lint vulncheck test test-long race ## what CI runs: the linters, known vulnerabilities, the tests, then the long ones and those of shared state under the race detector (22 minutes)

# Go 1.26 sometimes starts vet without all the files it needs ("could not import ...: open :", golang/go#77116), so a
# failure is tried again; a real finding comes back.
lint: front ## run the linters: gofmt, the format of templates, vet, staticcheck, tidy and verified modules (a minute)
	@echo "gofmt"; unformatted=$$(find . -name node_modules -prune -o -name '*.go' -exec gofmt -l {} +); \
		if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	go test -vet=off -run '^TestTemplatesAreFormatted$$' ./views
	@echo "go vet ./..."; go vet ./... || { echo "once more:"; go vet ./...; }
	go tool -modfile=.ci/tools.mod staticcheck ./...
	go mod tidy -diff
	go mod verify

format: ## format Go files and templates (seconds)
	@find . -name node_modules -prune -o -name '*.go' -exec gofmt -w {} +
	@go test -vet=off -count=1 -run '^TestTemplatesAreFormatted$$' ./views -format

vulncheck: ## look for known vulnerabilities in what the program uses; says so if their database cannot be reached (a minute)
	@.ci/vulncheck

bench: needs-mariadb front var/pitboss var/bench var/withmariadb ## callbacks per second on MariaDB and SQLite; then lists, reports, exports and statements of a million rows (20 minutes)
	@var/bench
	@var/bench -engine sqlite
	@var/withmariadb -- go test -vet=off -run '^$$' -bench . -benchtime 1x -timeout 1h -p 1 ./app/...

# The short forms run with all other tests.
attack: needs-all front var/withmariadb ## replay every known attack, in its long form; details in var/attack.log (10 minutes)
	@PITBOSS_PROVE=1 var/withmariadb -- bash -o pipefail -c "go test -vet=off -count=1 -timeout 1h -v \
		-run '^TestAttack|^TestTampering|^TestUncovered' ./... | tee var/attack.log | grep -E '^--- |tampering_test|^(FAIL|ok|panic)' | \
		grep -v 'no tests to run'"

test-faults: needs-all front ## play through every fault and print what each cost; as root, through full disks too (a minute; with PITBOSS_PROVE=1 a million operations, hours)
	@PITBOSS_TEST_OPERATIONS="$(OPERATIONS)" bash -o pipefail -c "go test -vet=off -count=1 -timeout 12h -v -run '^TestFaults$$' ./cmd/pitboss | grep -vE '^=== |level='"

# In memory, because most of the time would be spent on waiting for the disk: what is proved here is not durability.
test-mixed: ## follow a million MIXED operations on both databases in memory, with restarts, against an independent model (an hour)
	@.ci/need mariadb
	@PITBOSS_PROVE=1 PITBOSS_TEST_MIXED_OPERATIONS="$(MIXED)" TMPDIR=/dev/shm go test -vet=off -count=1 -timeout 12h -parallel 18 -v \
		-run '^TestMixedOperations$$' ./models/store/control

# PITBOSS_PROVE tells tests of races, kills and restarts to run their long form; rapid reads its own two variables. The long forms
# that take hours have their own targets, test-faults and test-mixed; here they run for a few minutes.
prove: needs-all front var/withmariadb ## the long proofs: random histories, kills and restarts, faults, then fuzzing (an hour)
	@PITBOSS_PROVE=1 RAPID_CHECKS=5000 RAPID_STEPS=100 PITBOSS_TEST_OPERATIONS=40000 \
		var/withmariadb -- go test -vet=off -count=1 -timeout 2h -p 2 ./...
	@.ci/fuzz 5m

fuzz: ## fuzz each target for FUZZTIME, 30s unless set (a minute)
	@.ci/fuzz $(FUZZTIME)

# Later versions upgrade that database, and answer that API's clients. A release that is out is never kept again.
keep-release: front var/withmariadb ## keep a database and the API's description of this version, from which tests upgrade (a minute)
	@PITBOSS_KEEP_RELEASE=$(or $(VERSION),$(shell sed -n 's/^var version = "\(.*\)"$$/\1/p' cmd/pitboss/version.go)) \
		var/withmariadb -- go test -vet=off -count=1 -run '^Test(UpgradeFromReleases|APIOnlyGrows)$$' ./cmd/pitboss ./app/api

dist: front ## make a release in var/dist: binaries, Debian packages, checksums; VERSION=1.2.3 names it (5 minutes at first, then a minute)
	@.ci/dist $(VERSION)

dist-check: ## build the release in var/dist again elsewhere, compare all bytes, and check the packages and examples (4 minutes)
	@.ci/dist-check

clean: ## remove what was built; the demo's data in var/ stays (at once)
	rm -rf var/pitboss var/bench var/withmariadb var/dist static/node_modules
	find static/dist -mindepth 1 ! -name placeholder.txt -delete
