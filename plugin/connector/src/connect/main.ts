import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { connect } from "./connect.js";

/** Asks at the screen; a typed secret is not shown. Without a screen it asks nothing. */
async function askPerson(question: string, isSecret: boolean): Promise<string | null> {
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

process.exitCode = await connect(process.argv.slice(2), {
  report: (text) => process.stderr.write(text),
  print: (text) => process.stdout.write(text),
  askPerson,
});
