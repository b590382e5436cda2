import {
  consoleCredentialListAnswerSchema,
  consoleCredentialSecretAnswerSchema,
  consoleHomeAnswerSchema,
  consoleRevokedCredentialAnswerSchema,
} from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { payApi, told } from "../../support/requests.js";
import { sceneOfFile } from "../../support/scene.js";
import { type ConsoleApi, consoleApi, consoleParties, dataOf } from "./console-api.js";

const { sandbox, server, merchantId } = await sceneOfFile();
let shop: ConsoleApi;
let user: string;
beforeAll(async () => {
  ({ user } = await consoleParties(sandbox));
  shop = consoleApi(server, { user, merchantId });
});

const list = async () =>
  dataOf(consoleCredentialListAnswerSchema, await shop.get("/credentials")).credentials;
const standingOf = async (id: string) =>
  (await list()).find(({ credential_id }) => credential_id === id)?.standing;
const works = async (client: { client_id: string | null; secret: string }) =>
  (await payApi(server, { client_id: client.client_id ?? "", client_secret: client.secret }).get("/orders"))
    .status;

it("a credential is made with its secret shown once, rotated with an overlap, and revoked; all on record", async () => {
  const made = dataOf(
    consoleCredentialSecretAnswerSchema,
    await shop.post("/credentials", { kind: "client" }),
  );
  expect(await works(made)).toBe(200);
  const [newest] = await list();
  expect(newest).toMatchObject({ credential_id: made.credential_id, scope: "pay", standing: "active" });
  expect(JSON.stringify(await list())).not.toContain(made.secret);

  const rotate = () => shop.post(`/credentials/${made.credential_id}/rotate`, { overlap_seconds: 3_600 });
  const rotated = dataOf(consoleCredentialSecretAnswerSchema, await rotate());
  expect(rotated).toMatchObject({ client_id: made.client_id, old_secret_expires_at: expect.any(String) });
  expect([await works(made), await works(rotated)]).toEqual([200, 200]);
  expect(await standingOf(made.credential_id)).toBe("rotated_out");
  expect(told(await rotate()).status).toBe(409);
  const { attention } = dataOf(consoleHomeAnswerSchema, await shop.get("/home"));
  expect(attention).toMatchObject([
    { kind: "credential_ending", id: made.credential_id, title: made.client_id },
  ]);

  const revoke = async () =>
    dataOf(
      consoleRevokedCredentialAnswerSchema,
      await shop.post(`/credentials/${rotated.credential_id}/revoke`),
    );
  expect([await revoke(), await revoke()]).toEqual([{ revoked: true }, { revoked: false }]);
  expect([await works(made), await works(rotated)]).toEqual([401, 401]);
  const records = await sandbox.database.prisma.auditRecord.findMany({
    where: { action: { startsWith: "credential." } },
    orderBy: { number: "asc" },
  });
  expect(records.map(({ action, administratorId }) => [action, administratorId])).toEqual([
    ["credential.create", user],
    ["credential.rotate", user],
    ["credential.revoke", user],
  ]);
  expect(server.logged()).not.toContain(made.secret);
});

it("a token opens the Partner API", async () => {
  const made = dataOf(
    consoleCredentialSecretAnswerSchema,
    await shop.post("/credentials", { kind: "api_token" }),
  );
  expect(made).toMatchObject({ client_id: null, kind: "api_token" });
  expect((await list())[0]).toMatchObject({ scope: "partner", credential_id: made.credential_id });
  expect(told(await shop.post("/credentials", { kind: "master" })).fields).toEqual({
    kind: ["The kind field must be one of client, api_token"],
  });
});
