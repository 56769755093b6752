// Reads `go test -json` from standard input, prints what `go test` would print, and then where the time went: compiling and linking (from
// the action graph), waiting (elapsed less processor seconds, from .ci/timed), the ten slowest packages and the ten slowest tests.
//
//	go test -json -debug-actiongraph=GRAPH -exec .ci/timed ... | node .ci/times.mjs GRAPH TIMES
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [graph, times] = process.argv.slice(2);
const output = new Map(); // of running and failed tests, by package and test
const packages = [], tests = [];
let failed = 0, passed = 0;
const key = (e) => `${e.Package} ${e.Test ?? ""}`;

for await (const line of createInterface({ input: process.stdin })) {
	let e;
	try {
		e = JSON.parse(line);
	} catch {
		console.log(line);
		continue;
	}
	if (e.Action === "output" || e.Action === "build-output") {
		if (e.Action === "build-output" || !e.Package) process.stdout.write(e.Output);
		else output.set(key(e), (output.get(key(e)) ?? "") + e.Output);
	} else if (e.Action === "pass" || e.Action === "fail" || e.Action === "skip") {
		const said = output.get(key(e)) ?? "";
		output.delete(key(e));
		if (e.Action === "fail") process.stdout.write(said);
		else if (!e.Test) process.stdout.write(said.split("\n").filter((l) => /^(ok|\?)\s/.test(l)).map((l) => l + "\n").join(""));
		if (!e.Test) packages.push({ name: e.Package, s: e.Elapsed });
		else if (!e.Test.includes("/")) {
			tests.push({ name: `${e.Package} ${e.Test}`, s: e.Elapsed });
			if (e.Action === "fail") failed++;
			else passed++;
		}
	}
}

const sum = (list) => list.reduce((n, x) => n + x.s, 0);
const top = (list) => list.sort((a, b) => b.s - a.s).slice(0, 10).map((x) => `${x.s.toFixed(1).padStart(8)} s  ${x.name}`).join("\n");
console.log(`slowest packages:\n${top(packages)}\nslowest tests:\n${top(tests)}`);
if (existsSync(graph)) {
	const spent = (mode) => JSON.parse(readFileSync(graph, "utf8")).filter((a) => a.Mode === mode && a.TimeDone)
		.map((a) => ({ s: (new Date(a.TimeDone) - new Date(a.TimeStart)) / 1000 }));
	const links = spent("link");
	console.log(`compiling ${sum(spent("build")).toFixed(0)} s, linking ${links.length} test binaries ${sum(links).toFixed(0)} s`);
}
if (existsSync(times)) {
	const cpu = new Map(readFileSync(times, "utf8").trim().split("\n").map((l) => l.split(" ")));
	const busy = [...cpu.values()].reduce((n, s) => n + Number(s), 0);
	console.log(`tests ran for ${sum(packages).toFixed(0)} s of packages' time and ${busy.toFixed(0)} s of processor time; the rest they waited`);
}
console.log(`${passed} passed, ${failed} failed`);
