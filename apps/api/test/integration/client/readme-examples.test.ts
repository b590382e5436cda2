import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestApi } from "../../support/test-api.js";

const PROJECT = new URL("../../../../../README.md", import.meta.url);
const README = new URL("../../../../../packages/client/README.md", import.meta.url);
const CLIENT = new URL("../../../../../packages/client/dist/index.js", import.meta.url);

let folder: string;
const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-readme-"));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Runs a TypeScript example of a README with the test's URL and secrets.
 * @returns the arguments of its console.log calls
 */
async function runExample(
  index: number,
  values: Record<string, string>,
  from = README,
): Promise<unknown[][]> {
  const readme = await readFile(from, "utf8");
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const example = examples[index];
  if (example === undefined) throw new Error(`the README has no example ${index}`);
  const code = example
    .replace('"@tillgate/client"', JSON.stringify(CLIENT.href))
    .replace("http://localhost:4000", server.url);
  const constants = Object.entries(values).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  const { outputText } = ts.transpileModule([...constants, code].join("\n"), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const file = path.join(folder, `example-${randomUUID()}.mjs`);
  await writeFile(file, outputText);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect(error.mock.calls).toEqual([]);
    return log.mock.calls;
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

it("packages/client/README.md: the first example creates and cancels an order", async () => {
  const { client_id: clientId, client_secret: clientSecret } = sandbox.access.merchant;
  const [[orderId, address] = []] = await runExample(0, { clientId, clientSecret });
  expect(address).toMatch(/\/pay\//);
  const order = await sandbox.database.prisma.order.findUniqueOrThrow({ where: { id: String(orderId) } });
  expect(order.status).toBe("CANCELLED");
});

it("packages/client/README.md: the second example pays out across currencies", async () => {
  const logged = await runExample(1, { apiToken: sandbox.access.merchant.api_token });
  expect(logged).toEqual([["completed", expect.any(Number), "XAF"]]);
});

it("README.md: the example creates an order with a payment page", async () => {
  const { client_id: clientId, client_secret: clientSecret } = sandbox.access.merchant;
  const [[address] = []] = await runExample(0, { clientId, clientSecret }, PROJECT);
  expect(address).toMatch(/\/pay\//);
  const order = await sandbox.database.prisma.order.findFirstOrThrow({ where: { reference: "order 77" } });
  expect(order).toMatchObject({
    status: "PENDING",
    amount: 4150n,
    returnUrl: "http://localhost:3000/thanks",
  });
});
