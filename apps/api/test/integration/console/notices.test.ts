import {
  dismissedResponseSchema,
  noticesResponseSchema,
  receiverSecretResponseSchema,
  timelineResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createTestSandbox } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

let parties: ConsoleParties;
let api: ConsoleClient;
let other: ConsoleClient;
let receiverId: string;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const server = await sandbox.startApi();
  parties = await createConsoleParties(sandbox);
  api = merchantConsole(server, parties);
  other = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
  const address = "https://shop.example/hook";
  receiverId = dataOf(
    receiverSecretResponseSchema,
    await api.post("/receivers", { address, events: ["pos.order.paid"] }),
  ).receiver_id;
});

const notices = async (of = api) => dataOf(noticesResponseSchema.strict(), await of.get("/notices")).notices;
const dismiss = async (id: string, by = api) =>
  dataOf(dismissedResponseSchema.strict(), await by.post(`/notices/${id}/dismiss`)).dismissed;
const recordFailedAttempt = (status: number) =>
  sandbox.database.pool.query(
    "SELECT record_receiver_failure($1, 'shop.example', 'status', $2, clock_timestamp())",
    [receiverId, status],
  );

describe("console notices", () => {
  it("report failing and disabled endpoints until the notice is dismissed", async () => {
    for (let i = 0; i < 4; i += 1) await recordFailedAttempt(500);
    expect(await notices()).toEqual([]);
    await recordFailedAttempt(500);
    expect(await notices()).toMatchObject([{ kind: "receiver.warning", receiver_id: receiverId }]);
    await recordFailedAttempt(410);
    const [disabled, warned] = await notices();
    expect(disabled).toMatchObject({ kind: "receiver.disabled", details: { reason: "gone" } });
    expect(warned?.kind).toBe("receiver.warning");

    expect(await dismiss(disabled?.entry_id ?? "")).toBe(true);
    expect(await dismiss(disabled?.entry_id ?? "")).toBe(false);
    expect(await notices()).toEqual([warned]);
    // Dismissed notices stay in the timeline.
    const timeline = JSON.stringify(dataOf(timelineResponseSchema, await api.get("/timeline")));
    expect(timeline).toContain("receiver.disabled");
  });

  it("cannot be read or dismissed by another merchant, and exclude other timeline entries", async () => {
    const [warned] = await notices();
    expect(await notices(other)).toEqual([]);
    expect(await dismiss(warned?.entry_id ?? "", other)).toBe(false);
    expect(await dismiss("no id")).toBe(false);
    expect(await notices()).toEqual([warned]);
    await api.post(`/receivers/${receiverId}/enable`);
    expect(await notices()).toEqual([warned]);
  });
});
