import { CONSOLE_PATH, type MemberRole, type Mode } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { expect } from "vitest";
import { type ApiProcess, CONSOLE_KEY } from "../../support/api-process.js";
import { merchantIdOf } from "../../support/parties.js";
import { type Answer, send } from "../../support/requests.js";
import type { Sandbox } from "../../support/sandbox.js";

/** The console edge as the console calls it for one user and one merchant. */
export type ConsoleApi = {
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, fields?: unknown): Promise<Answer>;
};

export type ConsoleParties = {
  merchantId: string;
  otherId: string;
  /** The first merchant's user, a user of the other merchant, an administrator: each is signed in. */
  user: string;
  otherUser: string;
  administrator: string;
};

export async function consoleParties(sandbox: Sandbox): Promise<ConsoleParties> {
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
    await showFactor(sandbox, user);
  return parties;
}

/** As after showing a second factor, without one that works. */
export async function showFactor({ database: { prisma } }: Sandbox, userId: string): Promise<void> {
  const at = new Date();
  await prisma.consoleTotp.create({
    data: { userId, secretCiphertext: Buffer.of(0), encryptionKeyId: "none", confirmedAt: at, lastStep: 0 },
  });
  await prisma.consoleSession.updateMany({ where: { userId }, data: { secondFactorAt: at } });
}

/** A merchant's user without a password, signed in. @returns its id. */
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

/** The token of a test's session follows from its user, so that a test names users only. */
export const sessionOf = (user: string): string => `session of ${user}`;

/** A session as after a sign-in, without the cost of a password. */
export const signInUser = async ({ database }: Sandbox, userId: string): Promise<unknown> =>
  database.prisma.consoleSession.create({
    data: {
      userId,
      tokenHash: hashSecret(sessionOf(userId)),
      expiresAt: new Date(Date.now() + 3_600_000),
      signedInAt: new Date(),
      clientNetwork: "203.0.113.1",
      browser: "none",
    },
  });

/** Calls of the edge with a session's token, and nothing in front of the path. */
export function edgeOf(
  { url }: Pick<ApiProcess, "url">,
  session?: string,
  client: Record<string, string> = {},
): ConsoleApi {
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

export function consoleApi(
  server: ApiProcess,
  { user, merchantId, mode = "sandbox" }: { user: string; merchantId: string; mode?: Mode },
): ConsoleApi {
  const edge = edgeOf(server, sessionOf(user));
  const base = `/merchants/${merchantId}/${mode}`;
  return {
    get: (path, query) => edge.get(base + path, query),
    post: (path, fields) => edge.post(base + path, fields),
  };
}

type Envelope<Data> = { parse(value: unknown): { data: Data } };

/** The data of an answer that must be a success of this shape. */
export function dataOf<Data>(schema: Envelope<Data>, { status, text, body }: Answer): Data {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.parse(body).data;
}
