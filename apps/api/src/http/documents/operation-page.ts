import type { Answer, Field, Operation } from "./read-operations.js";
import { samplesOf } from "./samples.js";
import type { SchemaField } from "./schema-fields.js";

const PROOFS: Readonly<Record<string, string>> = {
  clientCredentials: "`Authorization: Basic`, with client id and secret",
  accessToken: "`Authorization: Bearer`, with an access token",
  apiToken: "`Authorization: Bearer`, with an API token",
};

/** A text as it may stand in a cell of a table. */
export const cell = (text: string): string => text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");

const drawField = ({ name, place, required, type, description }: Field): string =>
  `| \`${name}\` | ${place}${required ? ", required" : ""} | ${cell(type)} | ${cell(description)} |`;

const drawAnswerField = ({ name, required, type, description }: SchemaField): string =>
  `| \`${name}\` | ${cell(type)}${required ? "" : "; may be absent"} | ${cell(description)} |`;

const drawAnswer = ({ status, description, fields, example }: Answer): string => {
  const table =
    fields.length === 0
      ? ""
      : `\n\n| Field | Type | Meaning |\n|---|---|---|\n${fields.map(drawAnswerField).join("\n")}`;
  const shown = example === null ? "" : `\n\n\`\`\`json\n${example}\n\`\`\``;
  return `### ${status}\n\n${description}${table}${shown}`;
};

/** An operation or event as Markdown: addresses, key, fields, code in four languages, answers. */
export function drawOperation(operation: Operation): string {
  const { summary, description, addresses, proof, fields, example, answers, anchor } = operation;
  const samples = samplesOf(operation);
  const parts = [
    `# ${summary}`,
    addresses.map((address) => `\`${address}\``).join("  \n"),
    description,
    proof === null ? null : `Key: ${PROOFS[proof] ?? proof}. [Which key goes where](/docs/keys)`,
    samples.length === 0 ? null : `[Try it with your sandbox key](/docs/try${anchor})`,
    fields.length === 0
      ? null
      : `## Fields\n\n| Field | Place | Type | Meaning |\n|---|---|---|---|\n${fields.map(drawField).join("\n")}`,
    samples.length === 0 ? null : "## Code",
    ...samples.map(({ language, fence, code }) => `### ${language}\n\n\`\`\`${fence}\n${code}\n\`\`\``),
    samples.length > 0 || example === null ? null : `## Body\n\n\`\`\`json\n${example}\n\`\`\``,
    "## Answers",
    ...answers.map(drawAnswer),
    samples.length === 0 ? null : "Every error code with its cause: [Errors](/docs/errors)",
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}
