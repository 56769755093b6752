// Builds dist: one stylesheet, one script and the fonts, each under a name that carries a hash of its bytes, with gzip and
// brotli copies beside them and a manifest that maps the plain names to the hashed ones.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const dist = "dist";
const keep = "placeholder.txt";

// Tabler draws its arrows and ticks as data: images, which the Content-Security-Policy refuses: our own files draw the ones in
// use, and the rest would only be bytes and console errors.
const withoutDataImages = {
  name: "without-data-images",
  setup(bundle) {
    bundle.onLoad({ filter: /tabler\.min\.css$/ }, async ({ path: file }) => ({
      loader: "css",
      contents: (await readFile(file, "utf8")).replace(/url\("data:[^"]*"\)/g, "none").replace(/url\('data:[^']*'\)/g, "none"),
    }));
  },
};

await mkdir(dist, { recursive: true });
for (const old of await readdir(dist)) {
  if (old !== keep) await rm(path.join(dist, old), { recursive: true });
}

const { outputFiles } = await build({
  entryPoints: { main: "src/main.css", app: "src/main.js" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "esnext", // light-dark() and popovers are what the pages are built on: nothing older is served
  outdir: dist,
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  plugins: [withoutDataImages],
  legalComments: "none",
  write: false,
});

const favicon = { path: "favicon.svg", contents: await readFile("src/favicon.svg") };

const manifest = {};
for (const file of [...outputFiles, favicon]) {
  let name = path.basename(file.path);
  if (!name.endsWith(".woff2")) {
    const hash = createHash("sha256").update(file.contents).digest("hex").slice(0, 12);
    const { name: stem, ext } = path.parse(name);
    manifest[name] = name = `${stem}-${hash}${ext}`;
    await writeFile(path.join(dist, `${name}.gz`), gzipSync(file.contents, { level: 9 }));
    await writeFile(path.join(dist, `${name}.br`), brotliCompressSync(file.contents));
  }
  await writeFile(path.join(dist, name), file.contents);
}
await writeFile(path.join(dist, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n");
