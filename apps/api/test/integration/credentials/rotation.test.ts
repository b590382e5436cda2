import { randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  createCredential,
  type IssuedCredential,
  revokeCredential,
  rotateCredential,
} from "../../../src/identity/credentials/manage.js";
import type { ApiProcess } from "../../support/api-process.js";
import { createOrder } from "../../support/orders.js";
import { merchantIdOf } from "../../support/parties.js";
import { payApi } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";
import { accessTokenStatus, callWith, endOverlap, requestAccessToken } from "./support.js";

const DAY_MS = 86_400_000;
/** Twice the guaranteed two seconds, to allow for a busy machine. */
const WITHIN_TWO_SECONDS = { timeout: 4_000, interval: 100 };

let first: ApiProcess;
let second: ApiProcess;
let merchantId: string;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const environment = { TILLGATE_CREDENTIAL_CACHE_MS: "" };
  first = await sandbox.startApi({ environment });
  second = await sandbox.startApi({ environment });
  merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
});

const create = (kind: IssuedCredential["kind"], mode: IssuedCredential["mode"] = "sandbox") =>
  createCredential(first.context, { merchantId, mode, kind });
const rotate = (credentialId: string, overlapSeconds?: number) =>
  rotateCredential(first.context, {
    credentialId,
    ...(overlapSeconds === undefined ? {} : { overlapSeconds }),
  });
const statuses = async (credential: IssuedCredential) => [
  (await callWith(first, credential)).status,
  (await callWith(second, credential)).status,
];

describe("credential", () => {
  it("has a prefix that shows kind and mode, and works in its mode alongside other credentials", async () => {
    const prefixes = { sandbox: "test", live: "live" } as const;
    for (const mode of ["sandbox", "live"] as const) {
      const client = await create("client", mode);
      const token = await create("api_token", mode);
      expect(client.clientId).toMatch(new RegExp(`^tg_${prefixes[mode]}_[0-9a-f]{24}$`));
      expect(client.secret).toMatch(new RegExp(`^tgs_${prefixes[mode]}_[\\w-]{43}$`));
      expect(token.clientId).toBeNull();
      expect(token.secret).toMatch(new RegExp(`^tgt_${prefixes[mode]}_[\\w-]{43}$`));
      expect(await statuses(client)).toEqual([200, 200]);
      expect(await statuses(token)).toEqual([200, 200]);
    }
    expect((await payApi(first, sandbox.access.merchant).get("/orders")).status).toBe(200);
  });

  it("cannot be created for an unknown merchant, or rotated or revoked if it does not exist", async () => {
    const nobody = randomUUID();
    await expect(
      createCredential(first.context, { merchantId: nobody, mode: "sandbox", kind: "client" }),
    ).rejects.toMatchObject({ errorCode: ErrorCode.MerchantNotFound });
    await expect(rotate(nobody)).rejects.toMatchObject({ errorCode: ErrorCode.CredentialNotFound });
    await expect(revokeCredential(first.context, { credentialId: nobody })).rejects.toMatchObject({
      errorCode: ErrorCode.CredentialNotFound,
    });
  });

  it("is not stored in plain text", async () => {
    const { id, secret } = await create("client");
    const { rows } = await sandbox.database.pool.query<{ row: string }>(
      "SELECT c::text || encode(secret_hash, 'escape') || encode(secret_ciphertext, 'escape') AS row FROM credentials c WHERE id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(secret);
    expect(first.logs()).not.toContain(secret);
  });
});

describe.each(["client", "api_token"] as const)("rotation of a credential of kind %s", (kind) => {
  it("keeps the old secret valid for a day, after which only the new secret works", async () => {
    const old = await create(kind);
    const rotated = await rotate(old.id);
    expect(rotated).toMatchObject({
      kind,
      clientId: old.clientId,
      merchantId,
      mode: "sandbox",
      replacedId: old.id,
    });
    expect(rotated.secret).not.toBe(old.secret);
    expect(Math.abs(rotated.oldSecretExpiresAt.getTime() - Date.now() - DAY_MS)).toBeLessThan(60_000);
    expect([await statuses(old), await statuses(rotated)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await endOverlap(sandbox, old.id);
    await vi.waitFor(async () => expect(await statuses(old)).toEqual([401, 401]), WITHIN_TWO_SECONDS);
    expect(await statuses(rotated)).toEqual([200, 200]);
  });

  it("is rejected until the previous overlap ends", async () => {
    const old = await create(kind);
    const rotated = await rotate(old.id);
    for (const id of [old.id, rotated.id])
      await expect(rotate(id)).rejects.toMatchObject({ errorCode: ErrorCode.RotationUnderWay });
    await endOverlap(sandbox, old.id);
    const again = await rotate(rotated.id);
    expect(again.clientId).toBe(old.clientId);
    expect(await statuses(again)).toEqual([200, 200]);
  });

  it("happens only once for concurrent requests", async () => {
    const old = await create(kind);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => rotate(old.id)));
    const created = all.filter(({ status }) => status === "fulfilled");
    expect(created).toHaveLength(1);
    for (const rejected of all)
      if (rejected.status === "rejected")
        expect(rejected.reason).toMatchObject({ errorCode: ErrorCode.RotationUnderWay });
  });

  it("revokes the old secret immediately if it has no overlap", async () => {
    const old = await create(kind);
    const rotated = await rotate(old.id, 0);
    expect(await statuses(old)).toEqual([401, 401]);
    expect(await statuses(rotated)).toEqual([200, 200]);
  });

  it("allows the old secret to be revoked separately; revoking the new secret invalidates both within two seconds", async () => {
    const old = await create(kind);
    const rotated = await rotate(old.id);
    await statuses(old);
    await statuses(rotated);
    expect(await revokeCredential(first.context, { credentialId: old.id })).toEqual({ revoked: true });
    await vi.waitFor(async () => expect(await statuses(old)).toEqual([401, 401]), WITHIN_TWO_SECONDS);
    expect(await statuses(rotated)).toEqual([200, 200]);

    const other = await create(kind);
    const otherRotated = await rotate(other.id);
    await statuses(other);
    await statuses(otherRotated);
    expect(await revokeCredential(first.context, { credentialId: otherRotated.id })).toEqual({
      revoked: true,
    });
    await vi.waitFor(async () => {
      expect(await statuses(other)).toEqual([401, 401]);
      expect(await statuses(otherRotated)).toEqual([401, 401]);
    }, WITHIN_TWO_SECONDS);
    expect(await revokeCredential(first.context, { credentialId: other.id })).toEqual({ revoked: false });
    await expect(rotate(otherRotated.id)).rejects.toMatchObject({ errorCode: ErrorCode.CredentialRevoked });
  });
});

describe("access tokens", () => {
  it("become invalid when the secret they were issued for is revoked or its overlap ends", async () => {
    for (const end of ["revoke", "expire"] as const) {
      const old = await create("client");
      const token = await requestAccessToken(first, old);
      expect(await accessTokenStatus(second, token)).toBe(404);
      const rotated = await rotate(old.id);
      const newToken = await requestAccessToken(first, rotated);
      expect(await accessTokenStatus(second, token)).toBe(404);
      if (end === "revoke") await revokeCredential(first.context, { credentialId: old.id });
      else await endOverlap(sandbox, old.id);
      await vi.waitFor(
        async () => expect(await accessTokenStatus(second, token)).toBe(403),
        WITHIN_TWO_SECONDS,
      );
      expect(await accessTokenStatus(second, newToken)).toBe(404);
    }
  });

  it("become invalid within two seconds of the merchant's suspension", async () => {
    const { other_merchant: other } = sandbox.access;
    const token = await requestAccessToken(first, {
      kind: "client",
      mode: "sandbox",
      clientId: other.client_id,
      secret: other.client_secret,
    });
    expect(await accessTokenStatus(first, token)).toBe(404);
    const id = await merchantIdOf(sandbox, other.client_id);
    const suspend = (suspendedAt: Date | null) =>
      sandbox.database.prisma.merchant.update({ where: { id }, data: { suspendedAt } });
    await suspend(new Date());
    await vi.waitFor(async () => expect(await accessTokenStatus(first, token)).toBe(403), WITHIN_TWO_SECONDS);
    await suspend(null);
  });
});

it("an order created with the old secret can be read with the new secret after a rotation", async () => {
  const old = await create("client");
  const access = { client_id: old.clientId ?? "", client_secret: old.secret };
  const order = await createOrder(payApi(first, access));
  const { secret } = await rotate(old.id, 0);
  const response = await payApi(second, { ...access, client_secret: secret }).get(
    `/orders/${order.order_id}`,
  );
  expect(response.status).toBe(200);
});
