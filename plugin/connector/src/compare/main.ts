#!/usr/bin/env node
import { compare } from "./compare.js";

process.exitCode = await compare(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  report: (text) => process.stderr.write(text),
});
