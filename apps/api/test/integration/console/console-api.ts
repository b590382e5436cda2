import { CONSOLE_PATH, type Mode } from "@tillgate/contract";
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
  /** The first merchant's user, a user of the other merchant, an administrator. */
  user: string;
  otherUser: string;
  administrator: string;
};

export async function consoleParties(sandbox: Sandbox): Promise<ConsoleParties> {
  const { prisma } = sandbox.database;
  const idOf = async (email: string) => (await prisma.consoleUser.findUniqueOrThrow({ where: { email } })).id;
  const otherId = await merchantIdOf(sandbox, sandbox.access.other_merchant.client_id);
  const otherUser = await prisma.consoleUser.create({
    data: { email: "other.user@example.com", role: "merchant", merchantId: otherId, passwordHash: "none" },
  });
  return {
    merchantId: await merchantIdOf(sandbox, sandbox.access.merchant.client_id),
    otherId,
    user: await idOf(sandbox.access.merchant_user.email),
    otherUser: otherUser.id,
    administrator: await idOf(sandbox.access.administrator.email),
  };
}

export function consoleApi(
  { url }: ApiProcess,
  { user, merchantId, mode = "sandbox" }: { user: string; merchantId: string; mode?: Mode },
): ConsoleApi {
  const base = `${url}${CONSOLE_PATH}/merchants/${merchantId}/${mode}`;
  const headers = { "x-tillgate-internal-key": CONSOLE_KEY, "x-tillgate-console-user": user };
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

type Envelope<Data> = { parse(value: unknown): { data: Data } };

/** The data of an answer that must be a success of this shape. */
export function dataOf<Data>(schema: Envelope<Data>, { status, text, body }: Answer): Data {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.parse(body).data;
}
