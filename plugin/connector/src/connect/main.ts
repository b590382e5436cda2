#!/usr/bin/env node
import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { connect } from "./connect.js";

/** @returns null if there is no terminal */
async function prompt(question: string, isSecret: boolean): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  let silent = false;
  const screen = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!silent) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output: screen, terminal: true });
  try {
    const answer = reader.question(`${question}: `);
    silent = isSecret;
    const text = (await answer).trim();
    if (isSecret) process.stderr.write("\n");
    return text;
  } finally {
    reader.close();
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", linux: "xdg-open" };

/** Opens a URL in the browser. The URL is printed too, so a failure does no harm. */
function openBrowser(address: string): void {
  const opener = OPENERS[process.platform];
  if (!process.stdin.isTTY || opener === undefined) return;
  const opened = spawn(opener, [address], { stdio: "ignore", detached: true });
  opened.on("error", () => process.stderr.write("The browser couldn't be opened. Open the URL yourself.\n"));
  opened.unref();
}

process.exitCode = await connect(process.argv.slice(2), {
  report: (text) => process.stderr.write(text),
  print: (text) => process.stdout.write(text),
  prompt,
  openBrowser,
});
