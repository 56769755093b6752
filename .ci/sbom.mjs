// sbom: adds the packages of the front end, which are embedded in the program, to the CycloneDX list of its Go modules. Reads the list
// from standard input and writes it to standard output. The hashes of the tool that made the list depend on the machine, so they go.
import { readFileSync } from "node:fs";

const list = JSON.parse(readFileSync(0, "utf8"));
for (const tool of list.metadata.tools) delete tool.hashes;
const program = list.dependencies.find((d) => d.ref === list.metadata.component["bom-ref"]);
const { packages } = JSON.parse(readFileSync("static/package-lock.json", "utf8"));
for (const [path, { version, dev, license }] of Object.entries(packages)) {
	if (path === "" || dev) continue;
	const name = path.replace(/^.*node_modules\//, "");
	const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
	list.components.push({ "bom-ref": purl, type: "library", name, version, licenses: [{ license: { id: license } }], purl });
	list.dependencies.push({ ref: purl });
	program.dependsOn.push(purl);
}
console.log(JSON.stringify(list, null, "\t"));
