import { CONSOLE_PATH, type MemberRole, type Mode } from "@tillgate/contract";
import { hashSecret, parseKeyring, seal } from "@tillgate/database";
import { expect } from "vitest";
import { type ApiProcess, CONSOLE_KEY } from "../../support/api-process.js";
import { merchantIdOf } from "../../support/parties.js";
import { type ApiResponse, send } from "../../support/requests.js";
import type { Sandbox } from "../../support/sandbox.js";
import { testSeed } from "../../support/test-database.js";

/** The console API as apps/dashboard calls it. */
export type ConsoleClient = {
  get(path: string, query?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, fields?: unknown): Promise<ApiResponse>;
};

export type ConsoleParties = {
  merchantId: string;
  otherId: string;
  /** IDs of signed-in users: of the merchant, of the other merchant, and of an administrator. */
  user: string;
  otherUser: string;
  administrator: string;
};

export async function createConsoleParties(sandbox: Sandbox): Promise<ConsoleParties> {
  const { prisma } = sandbox.database;
  const idOf = async (email: string) => (await prisma.consoleUser.findUniqueOrThrow({ where: { email } })).id;
  const otherId = await merchantIdOf(sandbox, sandbox.access.other_merchant.client_id);
  const parties = {
    merchantId: await merchantIdOf(sandbox, sandbox.access.merchant.client_id),
    otherId,
    user: await idOf(sandbox.access.merchant_user.email),
    otherUser: await addConsoleUser(sandbox, "other.user@example.com", otherId),
    administrator: await idOf(sandbox.access.administrator.email),
  };
  for (const user of [parties.user, parties.administrator]) await signInUser(sandbox, user);
  for (const user of [parties.user, parties.otherUser, parties.administrator])
    await addSecondFactor(sandbox, user);
  return parties;
}

/** Gives a user an authenticator app, and marks the user's sessions as confirmed by it. */
export async function addSecondFactor({ database: { prisma } }: Sandbox, userId: string): Promise<void> {
  const at = new Date();
  const sealed = seal(parseKeyring(testSeed().keys), userId, "not used");
  await prisma.consoleTotp.create({
    data: {
      userId,
      secretCiphertext: sealed.ciphertext,
      encryptionKeyId: sealed.keyId,
      confirmedAt: at,
      lastStep: 0,
    },
  });
  await prisma.consoleSession.updateMany({ where: { userId }, data: { secondFactorAt: at } });
}

/** Adds a signed-in merchant user without a password. @returns the user's ID. */
export async function addConsoleUser(
  sandbox: Sandbox,
  email: string,
  merchantId: string,
  role: MemberRole = "owner",
): Promise<string> {
  const { id } = await sandbox.database.prisma.consoleUser.create({
    data: { email, role: "merchant", passwordHash: "none", members: { create: { merchantId, role } } },
  });
  await signInUser(sandbox, id);
  return id;
}

export const sessionTokenOf = (user: string): string => `session of ${user}`;

/** Signs a user in for an hour by inserting a session, without checking a password. */
export const signInUser = async ({ database }: Sandbox, userId: string): Promise<unknown> =>
  database.prisma.consoleSession.create({
    data: {
      userId,
      tokenHash: hashSecret(sessionTokenOf(userId)),
      expiresAt: new Date(Date.now() + 3_600_000),
      signedInAt: new Date(),
      clientNetwork: "203.0.113.1",
      browser: "none",
    },
  });

export function consoleClient(
  { url }: Pick<ApiProcess, "url">,
  session?: string,
  client: Record<string, string> = {},
): ConsoleClient {
  const headers = {
    "x-tillgate-internal-key": CONSOLE_KEY,
    ...(session === undefined ? {} : { "x-tillgate-console-session": session }),
    ...client,
  };
  const base = url + CONSOLE_PATH;
  return {
    get: (path, query = {}) => send(`${base}${path}?${new URLSearchParams(query)}`, { headers }),
    post: (path, fields = {}) =>
      send(base + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(fields),
      }),
  };
}

export function merchantConsole(
  server: ApiProcess,
  { user, merchantId, mode = "sandbox" }: { user: string; merchantId: string; mode?: Mode },
  client: Record<string, string> = {},
): ConsoleClient {
  const edge = consoleClient(server, sessionTokenOf(user), client);
  const base = `/merchants/${merchantId}/${mode}`;
  return {
    get: (path, query) => edge.get(base + path, query),
    post: (path, fields) => edge.post(base + path, fields),
  };
}

type Envelope<Data> = { parse(value: unknown): { data: Data } };

export function dataOf<Data>(schema: Envelope<Data>, { status, text, body }: ApiResponse): Data {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.parse(body).data;
}
