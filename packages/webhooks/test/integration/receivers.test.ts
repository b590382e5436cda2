import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { isInstalled } from "../../../../scripts/testing/languages.js";
import { createSignedEvent, sendHostileRequests } from "../../../../scripts/testing/webhook-requests.js";

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, "../../../..");
const examples = path.join(repository, "examples/receive-webhooks");
const SECRET = "tgs_test_a-secret-of-the-receivers";
const MAX_BODY_BYTES = 256 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-receivers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const order = { order_id: "POS-20261121-7KQ2MX", amount: 41.5, currency: "EUR", status: "PAID" };
const payout = { payout_id: "PO12345678", status: "completed", amount: 10, currency: "EUR" };

type Receiver = { port: number; output(): string; isAlive(): boolean; stop(): Promise<void> };

async function startProgram(command: readonly string[], port: number, database: string): Promise<Receiver> {
  const [program = "", ...rest] = command;
  const child: ChildProcess = spawn(program, rest, {
    env: {
      ...process.env,
      PORT: String(port),
      TILLGATE_WEBHOOK_SECRET: SECRET,
      TILLGATE_DATABASE: database,
      PYTHONDONTWRITEBYTECODE: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "exit");
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(405), {
    timeout: 20_000,
  });
  return {
    port,
    output: () => output,
    isAlive,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Starts a web server that runs PHP as CGI, one process per request, with the variables that nginx passes to PHP-FPM. */
async function startPhpServer(database: string): Promise<Receiver> {
  let output = "";
  const server = createServer((request, response) => {
    const { "content-length": length = "", ...headers } = request.headers;
    const variables = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
        String(value),
      ]),
    );
    const child = spawn("php-cgi", [], {
      env: {
        PATH: process.env.PATH ?? "",
        REDIRECT_STATUS: "200",
        GATEWAY_INTERFACE: "CGI/1.1",
        SCRIPT_FILENAME: path.join(examples, "receiver.php"),
        REQUEST_METHOD: request.method ?? "",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        CONTENT_LENGTH: length,
        TILLGATE_WEBHOOK_SECRET: SECRET,
        TILLGATE_DATABASE: database,
        ...variables,
      },
    });
    let reply = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      reply += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    // PHP may respond before it has read the whole body.
    child.stdin.on("error", () => undefined);
    request.on("error", () => child.stdin.destroy());
    request.pipe(child.stdin);
    child.on("close", () => {
      if (!response.destroyed)
        response.writeHead(Number(/^Status: (\d+)/m.exec(reply)?.[1] ?? 200), { connection: "close" }).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    output: () => output,
    isAlive: () => server.listening,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const start: Record<string, () => Promise<Receiver>> = {
  node: async () =>
    startProgram([process.execPath, path.join(examples, "receiver.mjs")], await freePort(), ""),
  "php-cgi": () => startPhpServer(`sqlite:${path.join(folder, "php.db")}`),
  python3: async () =>
    startProgram(
      ["python3", path.join(examples, "receiver.py")],
      await freePort(),
      path.join(folder, "python.db"),
    ),
};

describe.each(Object.entries(start))("the webhook receiver run by %s", (program, startReceiver) => {
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    if (program === "node" || (await isInstalled(program))) receiver = await startReceiver();
  });
  afterAll(() => receiver?.stop());

  const post = async ({ headers, body }: ReturnType<typeof createSignedEvent>): Promise<number> => {
    const address = `http://127.0.0.1:${receiver?.port}/`;
    return (await fetch(address, { method: "POST", headers, body })).status;
  };
  const paid = (id: string) => createSignedEvent({ id, event: "pos.order.paid", data: order }, SECRET);
  const timesPaid = () =>
    (receiver?.output() ?? "").split(`Order ${order.order_id} is paid: 41.5 EUR`).length - 1;

  it("processes a repeated event once and acknowledges unknown events", async ({ skip }) => {
    if (receiver === undefined) skip(`${program} is not installed`);
    expect(await post(paid("evt_1"))).toBeLessThan(300);
    expect(await post(paid("evt_1"))).toBeLessThan(300);
    await expect.poll(timesPaid).toBe(1);
    expect(
      await post(createSignedEvent({ id: "evt_2", event: "payout.completed", ...payout }, SECRET)),
    ).toBeLessThan(300);
    await expect.poll(() => receiver?.output()).toContain("Payout PO12345678 completed");
    expect(
      await post(createSignedEvent({ id: "evt_3", event: "pos.order.tomorrow", data: {} }, SECRET)),
    ).toBeLessThan(300);
    expect(
      await post(createSignedEvent({ id: "evt_4", event: "tillgate.test", data: {} }, SECRET)),
    ).toBeLessThan(300);
  });

  it("rejects forged, changed, stale and unsigned events", async ({ skip }) => {
    if (receiver === undefined) skip(`${program} is not installed`);
    const genuine = paid("evt_5");
    const changed = { ...genuine, body: genuine.body.replace("41.5", "4150") };
    const stale = createSignedEvent(
      { id: "evt_5", event: "pos.order.paid", data: order },
      SECRET,
      1_764_000_000,
    );
    const forged = createSignedEvent({ id: "evt_5", event: "pos.order.paid", data: order }, "another secret");
    for (const request of [changed, stale, forged, { ...genuine, headers: {} }])
      expect(await post(request)).toBe(401);
    await expect.poll(timesPaid).toBe(1);
    expect(await post(genuine)).toBeLessThan(300);
    await expect.poll(timesPaid).toBe(2);
  });

  it("accepts a body of the maximum size and rejects a body one byte larger", async ({ skip }) => {
    if (receiver === undefined) skip(`${program} is not installed`);
    const padded = (bytes: number) => {
      const event = { id: "evt_6", event: "pos.order.tomorrow", data: {}, pad: "" };
      const { body } = createSignedEvent(event, SECRET);
      return createSignedEvent({ ...event, pad: "x".repeat(bytes - body.length) }, SECRET);
    };
    expect(await post(padded(MAX_BODY_BYTES))).toBeLessThan(300);
    expect(await post(padded(MAX_BODY_BYTES + 1))).toBe(413);
  });

  it("survives aborted, slow and malformed requests", async ({ skip }) => {
    if (receiver === undefined) return skip(`${program} is not installed`);
    const slow = connect(receiver.port, "127.0.0.1");
    slow.on("error", () => undefined);
    slow.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{");
    await sendHostileRequests(receiver.port);
    const before = timesPaid();
    expect(await post(paid("evt_7"))).toBeLessThan(300);
    await expect.poll(timesPaid).toBe(before + 1);
    expect(receiver.isAlive()).toBe(true);
    slow.destroy();
  });
});

const vectorsSchema = z.object({
  standard: z.array(
    z.object({
      name: z.string(),
      secrets: z.array(z.string()),
      now: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
      body_base64: z.string().optional(),
      expect: z.string(),
    }),
  ),
});

/** Secrets of 23, 24, 64 and 65 bytes, and secrets that are empty, not base64 or of another kind. */
const lengths = [23, 24, 64, 65].map((bytes) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`);
const secrets = ["", "whsec_", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX*", "cs_sandbox_1", ...lengths];
const usable = [false, false, false, true, false, true, true, false];

/** Each program prints its verifier's result for every case in `cases.json`. PHP and Python also print whether they accept each secret. */
const verifiers = {
  php: `<?php
require $argv[1] . '/receiver.php';
$given = json_decode(file_get_contents($argv[2]), true);
$results = array_map(fn ($case) => [$case['name'],
  tillgate_verify_webhook($case['headers'], base64_decode($case['body']), $case['secrets'], $case['now'])], $given['cases']);
$usable = array_map(function ($secret) {
  try { return tillgate_verify_webhook([], '', [$secret], 0) === 'missing_header'; }
  catch (InvalidArgumentException) { return false; }
}, $given['secrets']);
echo json_encode(['results' => $results, 'usable' => $usable]);
`,
  python3: `import base64, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from receiver import verify_webhook
def usable(secret):
    try:
        return verify_webhook({}, b"", [secret], 0) == "missing_header"
    except ValueError:
        return False
with open(sys.argv[2]) as file:
    given = json.load(file)
results = [[c["name"], verify_webhook(c["headers"], base64.b64decode(c["body"]), c["secrets"], c["now"])] for c in given["cases"]]
print(json.dumps({"results": results, "usable": [usable(secret) for secret in given["secrets"]]}))
`,
  node: `import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { isGenuine, toKey, server } = await import(pathToFileURL(process.argv[2] + "/receiver.mjs"));
server.close();
const given = JSON.parse(readFileSync(process.argv[3], "utf8"));
const lower = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const results = given.cases.map(({ name, headers, body, secrets, now }) => [name,
  secrets.some((one) => isGenuine(lower(headers), Buffer.from(body, "base64"), toKey(one), now))]);
console.log(JSON.stringify({ results }));
`,
};

describe("the verifiers of the sample receivers", () => {
  let expected: [string, string][];
  beforeAll(async () => {
    const vectors = await readFile(path.join(repository, "plugin/vectors/signatures.json"), "utf8");
    const { standard } = vectorsSchema.parse(JSON.parse(vectors));
    expected = standard.map((one) => [one.name, one.expect]);
    const cases = standard.map(({ body = "", body_base64: base64, ...rest }) => ({
      ...rest,
      body: base64 ?? Buffer.from(body).toString("base64"),
    }));
    await writeFile(path.join(folder, "cases.json"), JSON.stringify({ cases, secrets }));
  });

  it.for(["php", "python3", "node"] as const)(
    "return the expected result for every signature vector in %s",
    async (language, { skip }) => {
      if (language !== "node" && !(await isInstalled(language))) skip(`${language} is not installed`);
      const program = path.join(folder, language === "node" ? "program.mjs" : `program.${language}`);
      await writeFile(program, verifiers[language]);
      const { stdout } = await run(language, [program, examples, path.join(folder, "cases.json")], {
        env: { ...process.env, TILLGATE_WEBHOOK_SECRET: SECRET, PORT: "0" },
      });
      const results = expected.map(([name, word]) => [name, language === "node" ? word === "ok" : word]);
      expect(JSON.parse(stdout)).toEqual(language === "node" ? { results } : { results, usable });
    },
  );
});
