import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** The one receiver of each language, by the fence of its code blocks. */
const RECEIVERS = {
  js: "examples/receive-webhooks/receiver.mjs",
  php: "examples/receive-webhooks/receiver.php",
  python: "examples/receive-webhooks/receiver.py",
} as const;

/** Documents that show a receiver: a code block that contains this sentence is one. */
const DOCUMENTS = ["docs/webhooks.md", "apps/api/guides/webhooks.md"];
const MARK = "Receives Tillgate's webhooks:";
const CONSOLE_MODULE = "apps/dashboard/src/views/receiver-lines.ts";

/** @returns the text that each file must have, so that every receiver we show is the one that is tested */
export function receiverSamples(): Map<string, string> {
  const samples = new Map<string, string>();
  for (const document of DOCUMENTS) {
    // Every second part is a code block: its language, a line end, and the code.
    const shown = read(document)
      .split("\n```")
      .map((part, index) => {
        const [fence = ""] = part.split("\n", 1);
        const file = Object.entries(RECEIVERS).find(([name]) => name === fence)?.[1];
        const isReceiver = index % 2 === 1 && file !== undefined && part.includes(MARK);
        return isReceiver ? `${fence}\n${read(file).trimEnd()}` : part;
      })
      .join("\n```");
    samples.set(document, shown);
  }
  const text = read(RECEIVERS.js)
    .trimEnd()
    .replace(/[\\`]|\$\{/g, "\\$&");
  samples.set(
    CONSOLE_MODULE,
    `/** The receiver of ${RECEIVERS.js}, written here by \`npm run docs:samples\`. */\nexport const RECEIVER_LINES = \`${text}\`;\n`,
  );
  return samples;
}
