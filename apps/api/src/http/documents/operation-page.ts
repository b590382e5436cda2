import type { Field, Operation, OperationResponse } from "./read-operations.js";
import type { SchemaField } from "./schema-fields.js";

/** Code that sets the `Authorization` header, by security scheme and language. */
const SAMPLE_KEYS: Readonly<Record<string, Record<Sample["language"], string>>> = {
  clientCredentials: {
    curl: '-u "$TILLGATE_CLIENT_ID:$TILLGATE_CLIENT_SECRET"',
    TypeScript: `\`Basic \${btoa(\`\${process.env.TILLGATE_CLIENT_ID}:\${process.env.TILLGATE_CLIENT_SECRET}\`)}\``,
    PHP: '"Basic " . base64_encode(getenv("TILLGATE_CLIENT_ID") . ":" . getenv("TILLGATE_CLIENT_SECRET"))',
    Python:
      "\"Basic \" + base64.b64encode(f\"{os.environ['TILLGATE_CLIENT_ID']}:{os.environ['TILLGATE_CLIENT_SECRET']}\".encode()).decode()",
  },
  accessToken: bearerHeaders("TILLGATE_ACCESS_TOKEN"),
  apiToken: bearerHeaders("TILLGATE_API_TOKEN"),
};

const findAuthorization = (language: Sample["language"], authorization: string | null): string | null =>
  authorization === null ? null : (SAMPLE_KEYS[authorization]?.[language] ?? null);

const joinLines = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join("\n");

const KEY_NAMES: Readonly<Record<string, string>> = {
  clientCredentials: "`Authorization: Basic`, with client ID and secret",
  accessToken: "`Authorization: Bearer`, with an access token",
  apiToken: "`Authorization: Bearer`, with an API token",
};

export const escapeCell = (text: string): string =>
  text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");

const renderField = ({ name, location, required, type, description }: Field): string =>
  `| \`${name}\` | ${location}${required ? ", required" : ""} | ${escapeCell(type)} | ${escapeCell(description)} |`;

const renderResponseField = ({ name, required, type, description }: SchemaField): string =>
  `| \`${name}\` | ${escapeCell(type)}${required ? "" : "; may be absent"} | ${escapeCell(description)} |`;

const renderResponse = ({ status, description, fields, example, format }: OperationResponse): string => {
  const table =
    fields.length === 0
      ? ""
      : `\n\n| Field | Type | Meaning |\n|---|---|---|\n${fields.map(renderResponseField).join("\n")}`;
  const codeBlock = example === null ? "" : `\n\n\`\`\`${format}\n${example}\n\`\`\``;
  return `### ${status}\n\n${description}${table}${codeBlock}`;
};

/** Renders an operation or event as Markdown. Only operations have code samples. */
export function renderOperation(operation: Operation): string {
  const { summary, description, addresses, authorization, fields, example, responses, anchor } = operation;
  const samples = createSamples(operation);
  const parts = [
    `# ${summary}`,
    addresses.map((address) => `\`${address}\``).join("  \n"),
    description,
    authorization === null
      ? null
      : `Key: ${KEY_NAMES[authorization] ?? authorization}. [Which key goes where](/docs/keys)`,
    samples.length === 0 ? null : `[Try it with your sandbox key](/docs/try${anchor})`,
    fields.length === 0
      ? null
      : `## Fields\n\n| Field | In | Type | Meaning |\n|---|---|---|---|\n${fields.map(renderField).join("\n")}`,
    samples.length === 0 ? null : "## Code",
    ...samples.map(({ language, fence, code }) => `### ${language}\n\n\`\`\`${fence}\n${code}\n\`\`\``),
    samples.length > 0 || example === null ? null : `## Body\n\n\`\`\`json\n${example}\n\`\`\``,
    "## Responses",
    ...responses.map(renderResponse),
    samples.length === 0 ? null : "Every error code with its cause: [Errors](/docs/errors)",
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

export type Sample = { language: "curl" | "TypeScript" | "PHP" | "Python"; fence: string; code: string };

/** `path` has example IDs; `body` is JSON text. */
type Call = {
  method: string;
  path: string;
  authorization: string | null;
  body: string | null;
  isFile: boolean;
};

function bearerHeaders(variable: string): Record<Sample["language"], string> {
  return {
    curl: `-H "Authorization: Bearer $${variable}"`,
    TypeScript: `\`Bearer \${process.env.${variable}}\``,
    PHP: `"Bearer " . getenv("${variable}")`,
    Python: `"Bearer " + os.environ["${variable}"]`,
  };
}

/** Creates one code sample per language; returns none for an event. */
export function createSamples({ addresses, fields, example, authorization, responses }: Operation): Sample[] {
  const [method = "", template = ""] = (addresses[0] ?? "").split(" ");
  if (template === "") return [];
  const path = fields
    .filter(({ location }) => location === "path")
    .reduce((url, { name, example: value }) => url.replace(`{${name}}`, value ?? name), template);
  const isFile = responses.some(({ format }) => format !== "json");
  const call = { method, path, authorization, body: method === "GET" ? null : (example ?? "{}"), isFile };
  return [
    { language: "curl", fence: "sh", code: writeCurl(call) },
    { language: "TypeScript", fence: "ts", code: writeTypeScript(call) },
    { language: "PHP", fence: "php", code: writePhp(call) },
    { language: "Python", fence: "python", code: writePython(call) },
  ];
}

function writeCurl({ method, path, authorization, body }: Call): string {
  const options = [
    method === "GET" ? null : `-X ${method}`,
    findAuthorization("curl", authorization),
    body === null ? null : '-H "Content-Type: application/json"',
    body === null ? null : `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
    `"$TILLGATE_API_URL${path}"`,
  ].filter((word) => word !== null);
  return `curl -w '%{http_code}\\n' ${options.join(" \\\n  ")}`;
}

function writeTypeScript({ method, path, authorization, body, isFile }: Call): string {
  const value = findAuthorization("TypeScript", authorization);
  return joinLines(
    `const response = await fetch(\`\${process.env.TILLGATE_API_URL}${path}\`, {`,
    `  method: "${method}",`,
    "  headers: {",
    value === null ? null : `    Authorization: ${value},`,
    body === null ? null : '    "Content-Type": "application/json",',
    "  },",
    body === null ? null : `  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`,
    "});",
    `console.log(response.status, await response.${isFile ? "text" : "json"}());`,
  );
}

function writePhp({ method, path, authorization, body }: Call): string {
  const value = findAuthorization("PHP", authorization);
  return joinLines(
    "<?php",
    '$context = stream_context_create(["http" => [',
    `    "method" => "${method}",`,
    '    "header" => [',
    value === null ? null : `        "Authorization: " . ${value},`,
    body === null ? null : '        "Content-Type: application/json",',
    "    ],",
    body === null ? null : `    "content" => '${body.replace(/['\\]/g, String.raw`\$&`)}',`,
    '    "ignore_errors" => true,',
    "]]);",
    `$body = file_get_contents(getenv("TILLGATE_API_URL") . "${path}", false, $context);`,
    'echo $http_response_header[0] ?? "No response", "\\n", $body, "\\n";',
  );
}

function writePython({ method, path, authorization, body }: Call): string {
  const value = findAuthorization("Python", authorization);
  return joinLines(
    value?.includes("base64") ? "import base64" : null,
    "import os",
    "import urllib.error",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    os.environ["TILLGATE_API_URL"] + "${path}",`,
    `    method="${method}",`,
    "    headers={",
    value === null ? null : `        "Authorization": ${value},`,
    body === null ? null : '        "Content-Type": "application/json",',
    "    },",
    body === null ? null : `    data=r"""${body}""".encode(),`,
    ")",
    "try:",
    "    response = urllib.request.urlopen(request)",
    "except urllib.error.HTTPError as error:",
    "    response = error  # the API's own error, with error_code and message",
    "print(response.status, response.read().decode())",
  );
}
