import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isInstalled } from "../../../../scripts/testing/languages.js";

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, "../../../..");
const examples = path.join(repository, "examples/verify-webhooks");

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

/** Of 23, 24, 64 and 65 bytes, and some that are no base64 or empty; the receiver's own mistakes. */
const lengths = [23, 24, 64, 65].map((bytes) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`);
const secrets = ["", "whsec_", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX*", "cs_sandbox_1", ...lengths];
const usable = [false, false, false, true, false, true, true, false];

/** Each reads `cases.json` beside it and prints what its verifier says of every case and every secret. */
const programs = {
  php: `<?php
require $argv[1] . '/verify_webhook.php';
$given = json_decode(file_get_contents($argv[2]), true);
$told = array_map(fn ($case) => [$case['name'],
  tillgate_verify_webhook($case['headers'], base64_decode($case['body']), $case['secrets'], $case['now'])], $given['cases']);
$usable = array_map(function ($secret) {
  try { return tillgate_verify_webhook([], '', [$secret], 0) === 'missing_header'; }
  catch (InvalidArgumentException) { return false; }
}, $given['secrets']);
echo json_encode(['told' => $told, 'usable' => $usable]);
`,
  python3: `import base64, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from verify_webhook import verify_webhook
def usable(secret):
    try:
        return verify_webhook({}, b"", [secret], 0) == "missing_header"
    except ValueError:
        return False
with open(sys.argv[2]) as file:
    given = json.load(file)
told = [[c["name"], verify_webhook(c["headers"], base64.b64decode(c["body"]), c["secrets"], c["now"])] for c in given["cases"]]
print(json.dumps({"told": told, "usable": [usable(secret) for secret in given["secrets"]]}))
`,
};

let folder: string;
let expected: [string, string][];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-verifiers-"));
  const vectors = await readFile(path.join(repository, "plugin/vectors/signatures.json"), "utf8");
  const { standard } = vectorsSchema.parse(JSON.parse(vectors));
  expected = standard.map((one) => [one.name, one.expect]);
  const cases = standard.map(({ body = "", body_base64: base64, ...rest }) => ({
    ...rest,
    body: base64 ?? Buffer.from(body).toString("base64"),
  }));
  await writeFile(path.join(folder, "cases.json"), JSON.stringify({ cases, secrets }));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the verifiers of examples/verify-webhooks", () => {
  for (const language of ["php", "python3"] as const) {
    it(`in ${language} say of every vector what the plugins say, where it is installed`, async ({ skip }) => {
      if (!(await isInstalled(language))) skip(`${language} is not installed`);
      const program = path.join(folder, `program.${language}`);
      await writeFile(program, programs[language]);
      const { stdout } = await run(language, [program, examples, path.join(folder, "cases.json")]);
      expect(JSON.parse(stdout)).toEqual({ told: expected, usable });
    });
  }
});
