/**
 * `npm run drill [-- --faults N --synchronous off --only name …]`: injects faults into a database cluster on loopback while payments run. The exit
 * code is 1 unless every check passes with synchronous replication, and at least one fails without it.
 */
import path from "node:path";
import { buildWhatIsStale } from "./bootstrap/build.mjs";
import { installedProgram, root } from "./bootstrap/project.mjs";
import { runProgram } from "./bootstrap/run-program.mjs";

process.exitCode = (await buildWhatIsStale())
  ? await runProgram(
      installedProgram("tsx"),
      [path.join(root, "drill/src/main.ts"), ...process.argv.slice(2)],
      { cwd: root, env: process.env },
    )
  : 1;
