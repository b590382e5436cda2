import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describeUnreadableSecrets, parseKeyring, seal } from "@tillgate/database";
import { describe, expect, it } from "vitest";
import { spawnApi } from "../support/spawned-api.js";
import { createTestSandbox } from "../support/test-api.js";
import { testSeed } from "../support/test-database.js";

const sandbox = await createTestSandbox();
const { keys } = testSeed();
const [keyId = ""] = keys.split(":");
const OTHER_KEY = Buffer.alloc(32, "another key").toString("base64");

const describeKeys = (text: string) => describeUnreadableSecrets(sandbox.database.pool, parseKeyring(text));

describe("encryption keys", () => {
  it("are accepted if they can decrypt the stored secrets, even if a newer key is also configured", async () => {
    expect(await describeKeys(keys)).toBeUndefined();
    expect(await describeKeys(`new:${OTHER_KEY},${keys}`)).toBeUndefined();
  });

  it("are rejected if the key of the stored secrets is missing or has a different value", async () => {
    expect(await describeKeys(`${keyId}:${OTHER_KEY}`)).toMatch(
      `The encryption keys do not match this database: key ${keyId} has another value.`,
    );
    expect(await describeKeys(`new:${OTHER_KEY}`)).toMatch(`key ${keyId} is missing.`);
  });

  it.each([
    [
      "client",
      "credentials",
      `INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
       SELECT $1::uuid, merchant_id, mode, kind, 'tgc_' || $1::text, sha256($2), $2, 'new' FROM credentials WHERE kind = 'client' LIMIT 1`,
    ],
    [
      "webhook endpoint",
      "receivers",
      `INSERT INTO receivers (id, merchant_id, mode, address, events, secret_ciphertext, encryption_key_id)
       SELECT $1::uuid, merchant_id, mode, 'https://shop.example/', '{pos.order.paid}', $2, 'new' FROM credentials WHERE kind = 'client' LIMIT 1`,
    ],
  ])(
    "are rejected if the newest %s secret is encrypted with a key that is missing or has a different value, even if older secrets are readable",
    async (_, table, insert) => {
      const { database } = sandbox;
      const newKey = Buffer.alloc(32, "new key").toString("base64");
      const id = randomUUID();
      const { ciphertext } = seal(parseKeyring(`new:${newKey}`), id, "secret");
      await database.pool.query(insert, [id, ciphertext]);
      expect(await describeKeys(keys)).toMatch("key new is missing.");
      expect(await describeKeys(`new:${OTHER_KEY},${keys}`)).toMatch("key new has another value.");
      expect(await describeKeys(`new:${newKey},${keys}`)).toBeUndefined();
      await database.pool.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    },
  );

  it("are accepted even if the newest secret is damaged", async () => {
    const { rowCount } = await sandbox.database.pool.query(
      "UPDATE credentials SET secret_ciphertext = '\\x00' WHERE id = (SELECT id FROM credentials WHERE secret_ciphertext IS NOT NULL ORDER BY created_at DESC LIMIT 1)",
    );
    expect(rowCount).toBe(1);
    expect(await describeKeys(keys)).toBeUndefined();
  });

  it("make the API exit with status 1 and a one-line error if they do not match the database", async () => {
    const program = await spawnApi(sandbox, {
      TILLGATE_ENCRYPTION_KEYS: `new:${OTHER_KEY}`,
      LOG_LEVEL: "fatal",
    });
    expect((await once(program.child, "close"))[0]).toBe(1);
    expect(program.output()).toMatch(
      /^The API cannot start: The encryption keys do not match this database: .*\n$/,
    );
  });
});
