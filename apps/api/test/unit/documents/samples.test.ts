import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isInstalled } from "../../../../../scripts/testing/languages.js";
import { createSamples, type Sample } from "../../../src/http/documents/operation-page.js";
import { type Operation, readOperationGroups } from "../../../src/http/documents/read-operations.js";

const run = promisify(execFile);

/** Keys with characters that are special in a shell, a string or a header. */
const keys = {
  TILLGATE_CLIENT_ID: "cs_sandbox_1",
  TILLGATE_CLIENT_SECRET: "secret $HOME ' \\ 1",
  TILLGATE_ACCESS_TOKEN: "access 'token' $1",
  TILLGATE_API_TOKEN: "api \\token\\",
};
const basic = `Basic ${btoa(`${keys.TILLGATE_CLIENT_ID}:${keys.TILLGATE_CLIENT_SECRET}`)}`;
const authorizations: Readonly<Record<string, string>> = {
  clientCredentials: basic,
  accessToken: `Bearer ${keys.TILLGATE_ACCESS_TOKEN}`,
  apiToken: `Bearer ${keys.TILLGATE_API_TOKEN}`,
};

/** How to run all samples of a language one after the other in a single process. */
const runners: Readonly<Record<Sample["language"], { command: string; needs?: string; driver: string }>> = {
  curl: { command: "sh", needs: "curl", driver: 'for file in "$@"; do . "$file"; done' },
  TypeScript: {
    command: process.execPath,
    driver:
      'import { pathToFileURL } from "node:url"; for (const file of process.argv.slice(2)) await import(pathToFileURL(file));',
  },
  PHP: { command: "php", driver: "<?php foreach (array_slice($argv, 1) as $file) require $file;" },
  Python: {
    command: "python3",
    driver:
      "import sys\nfor name in sys.argv[1:]:\n    with open(name) as file:\n        exec(compile(file.read(), name, 'exec'), {})\n",
  },
};

type ReceivedRequest = {
  call: string;
  authorization: string | undefined;
  type: string | undefined;
  body: unknown;
};

const documented = readOperationGroups()
  .flatMap(({ operations }) => operations)
  .filter((operation) => createSamples(operation).length > 0);

/** A body with characters that end a string in a shell or a template. The examples may contain none of them. */
const hostile: Operation = {
  id: "hostile",
  anchor: "",
  addresses: ["POST /hostile"],
  summary: "",
  description: "",
  authorization: "accessToken",
  fields: [],
  responses: [],
  example: JSON.stringify(
    { note: `it's \\ \\n "$HOME" \`id\` \${x} {$y} %s é\n""" '''`, empty: "" },
    null,
    2,
  ),
};
const operations = [...documented, hostile];

/** Returns the request that the OpenAPI document describes. */
function expectedRequest({
  addresses: [address = ""],
  fields,
  authorization,
  example,
}: Operation): ReceivedRequest {
  const examples = new Map(fields.map(({ name, example: value }) => [name, value]));
  const call = address.replace(/\{(\w+)\}/g, (_whole, name) => examples.get(name) ?? name);
  const writes = !call.startsWith("GET ");
  return {
    call,
    authorization: authorization === null ? undefined : authorizations[authorization],
    type: writes ? "application/json" : undefined,
    body: writes ? JSON.parse(example ?? "{}") : "",
  };
}

let folder: string;
let server: Server;
let received: ReceivedRequest[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-samples-"));
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const type = headers["content-type"];
    const body = await text(request);
    received.push({
      call: `${method} ${url}`,
      authorization: headers.authorization,
      type,
      body: type === "application/json" ? JSON.parse(body) : body,
    });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe("code samples of every operation", () => {
  for (const [language, { command, needs = command, driver }] of Object.entries(runners)) {
    it(`in ${language} send the documented request when run as printed`, async ({ skip }) => {
      if (!(await isInstalled(needs))) skip(`${needs} is not installed`);
      const room = path.join(folder, language);
      await mkdir(room);
      const files = await Promise.all(
        operations.map(async (operation) => {
          const file = path.join(room, `${operation.id}.mjs`);
          const sample = createSamples(operation).find((item) => item.language === language);
          await writeFile(file, `${sample?.code}\n`);
          return file;
        }),
      );
      const program = path.join(room, "every.mjs");
      await writeFile(program, driver);
      received = [];
      const { port } = z.object({ port: z.int() }).parse(server.address());
      await run(command, [program, ...files], {
        env: { PATH: process.env.PATH, ...keys, TILLGATE_API_URL: `http://127.0.0.1:${port}` },
      });
      expect(received).toEqual(operations.map(expectedRequest));
    });
  }

  it("cover every kind of key, requests without a key, and the methods GET, POST and PUT", () => {
    const calls = operations.map(expectedRequest);
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(
      new Set([undefined, ...Object.values(authorizations)]),
    );
    expect(new Set(calls.map(({ call }) => call.split(" ")[0]))).toEqual(new Set(["GET", "POST", "PUT"]));
  });
});
