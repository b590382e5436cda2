import { ledgerProofRequestedResponseSchema, ledgerProofsResponseSchema } from "@tillgate/contract";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { requestNightlyProof, runProof } from "../../../src/reports/ledger-proofs.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  consoleClient,
  createConsoleParties,
  dataOf,
  sessionTokenOf,
} from "./console-client.js";

const { sandbox, server } = await createTestApi();
const { pool, prisma } = sandbox.database;
const { context } = server;
let adminConsole: ConsoleClient;

beforeAll(async () => {
  const { administrator } = await createConsoleParties(sandbox);
  adminConsole = consoleClient(server, sessionTokenOf(administrator));
});
beforeEach(async () => {
  await pool.query("DELETE FROM ledger_proofs");
});
const requestProof = async () =>
  dataOf(ledgerProofRequestedResponseSchema, await adminConsole.post("/administration/proofs"));
const proofs = async () =>
  dataOf(ledgerProofsResponseSchema, await adminConsole.get("/administration/proofs")).proofs;

it("concurrent requests for a ledger proof create one proof, which runs once", async () => {
  const requested = await Promise.all([requestProof(), requestProof(), requestProof()]);
  expect(new Set(requested.map(({ proof_id }) => proof_id)).size).toBe(1);
  expect(requested.filter(({ already_open }) => !already_open)).toHaveLength(1);
  expect((await proofs())[0]).toMatchObject({ sound: null, finished_at: null });
  await Promise.all([runProof(context), runProof(context)]);
  expect(await proofs()).toMatchObject([
    { sound: true, faults: [], error: null, requested_by: sandbox.access.administrator.email },
  ]);
  const id = requested[0]?.proof_id ?? "";
  expect(await prisma.auditRecord.count({ where: { action: "ledger.prove", subject: id } })).toBe(1);
});

it("a ledger proof reports violations, or why it could not run", async () => {
  const account = "(SELECT id FROM accounts WHERE kind = 'merchant' AND balance > 0 ORDER BY id LIMIT 1)";
  const change = (by: string) =>
    sandbox.executeAsSuperuser(
      `SET session_replication_role = replica; UPDATE accounts SET balance = balance ${by} WHERE id = ${account}`,
    );
  await change("+ 1");
  await requestProof();
  await runProof(context);
  await change("- 1");
  const [broken] = await proofs();
  expect(broken).toMatchObject({ sound: false, error: null });
  expect(broken?.faults.join()).toContain("balance is the sum of its entries");
  await requestProof();
  const nowhere = "postgresql://nobody@127.0.0.1:1/none";
  await runProof({ ...context, config: { ...context.config, databaseDirectUrl: nowhere } });
  expect((await proofs())[0]).toMatchObject({ sound: null, error: expect.stringContaining("ECONNREFUSED") });
});

it("another worker takes over a dead worker's ledger proof when its lease expires", async () => {
  await requestProof();
  await pool.query(
    "UPDATE ledger_proofs SET leased_by = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 minute'",
  );
  await runProof(context);
  expect((await proofs())[0]?.finished_at).toBe(null);
  await pool.query("UPDATE ledger_proofs SET leased_until = clock_timestamp() - interval '1 second'");
  await runProof(context);
  expect((await proofs())[0]?.sound).toBe(true);
});

it("the nightly ledger proof is skipped if another proof ran shortly before", async () => {
  await requestProof();
  await runProof(context);
  await requestNightlyProof(context);
  expect(await proofs()).toHaveLength(1);
});
