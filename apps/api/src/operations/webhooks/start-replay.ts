import { type CreateReplayRequest, FieldRule, Refusal } from "@tillgate/contract";
import { callOne, ledger } from "@tillgate/database";
import { firstRowOf, inTransaction } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError, wrongField } from "../../operation-error.js";
import { requestHash } from "../../readers/request-hash.js";
import { recordOnConnection } from "../administration/change.js";
import { previewReplay, type ReplayRange, replayRangeOf } from "./preview-replay.js";
import type { ReceiverChange, ReceiverScope } from "./receiver.js";
import { recordOfReceiverChange } from "./record-receiver-change.js";
import { getReplay, type ReplayView } from "./replay.js";

/** The keys of the table that a replay may run into. */
const ONE_AT_A_TIME = ["replays_one_an_endpoint", "replays_one_an_address"];

/** Turns "one is under way already" into the refusal. */
export async function refuseSecondReplay<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "constraint" in error && ONE_AT_A_TIME.includes(String(error.constraint)))
      throw new OperationError(Refusal.ReplayUnderWay);
    throw error;
  }
}

const BEGIN = `
  INSERT INTO replays (merchant_id, mode, receiver_id, credential_id, address, events, from_time, to_time, last_turn, last_number,
    skip_failed, total, idempotency_key, request_hash)
  VALUES ($1, $2::mode, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (merchant_id, mode, idempotency_key) DO NOTHING RETURNING id`;
const EARLIER = `
  SELECT id, request_hash AS "requestHash" FROM replays WHERE merchant_id = $1 AND mode = $2::mode AND idempotency_key = $3`;

const idSchema = z.object({ id: z.uuid() });
const earlierSchema = idSchema.extend({ requestHash: z.instanceof(Buffer) });

type Keyed = { key: string; hash: Buffer };

/** What an earlier call with this key began. @throws OperationError IdempotencyKeyReused. */
async function earlierReplay(
  context: Pick<Context, "database">,
  { merchantId, mode }: ReceiverScope,
  { key, hash }: Keyed,
): Promise<ReplayView | undefined> {
  const earlier = await firstRowOf(context.database.pool, earlierSchema, EARLIER, [merchantId, mode, key]);
  if (!earlier) return undefined;
  if (!earlier.requestHash.equals(hash)) throw new OperationError(Refusal.IdempotencyKeyReused);
  return getReplay(context, { merchantId, mode }, earlier.id);
}

/** The replay and its first delivery, in one transaction. @returns undefined when the key began one before. */
const begin = (
  { database: { pool } }: Pick<Context, "database">,
  input: ReplayRange & Pick<ReceiverChange, "by"> & { skipFailed: boolean; keyed: Keyed | undefined },
  { total, last }: Pick<Awaited<ReturnType<typeof previewReplay>>, "total" | "last">,
): Promise<string | undefined> =>
  refuseSecondReplay(() =>
    inTransaction(pool, async (client) => {
      const { merchantId, mode, receiver, address, events, from, to, by, skipFailed, keyed } = input;
      const signer = address !== null && "credentialId" in by ? by.credentialId : null;
      const made = await firstRowOf(client, idSchema, BEGIN, [
        ...[merchantId, mode, receiver?.id ?? null, signer, address, events, from, to],
        ...[last?.turn ?? 0n, last?.number ?? 0n, skipFailed, total, keyed?.key ?? null, keyed?.hash ?? null],
      ]);
      if (!made) return undefined;
      await callOne(client, ledger.advanceReplay, { replay: made.id });
      await recordOnConnection(
        client,
        recordOfReceiverChange({ merchantId, mode, by }, receiver?.id ?? made.id, "receiver.replay", {
          ...{ mode, replay: made.id, from: from.toISOString(), to: to.toISOString() },
          events: total,
        }),
      );
      return made.id;
    }),
  );

/**
 * Sends every event of a range again, in order, to one endpoint or address. The first delivery is made due here; each next one
 * in the transaction that settles the one before.
 * @throws OperationError ReceiverNotFound; ReceiverInactive for a disabled endpoint; ReplayUnderWay;
 * IdempotencyKeyReused; InvalidFields, also for a range with more events than one replay sends.
 */
export async function startReplay(
  context: Pick<Context, "config" | "database" | "hints">,
  { merchantId, mode, by }: Omit<ReceiverChange, "dryRun">,
  request: CreateReplayRequest,
): Promise<{ replay: ReplayView; replayed: boolean }> {
  const scope = { merchantId, mode };
  const { idempotency_key: key, skip_failed: skipFailed = false, ...asked } = request;
  const keyed =
    key === undefined
      ? undefined
      : {
          key,
          hash: requestHash({
            ...{
              endpoint_id: asked.endpoint_id,
              callback_url: asked.callback_url,
              skip_failed: String(skipFailed),
            },
            ...{ from: asked.from?.toISOString(), to: asked.to?.toISOString(), events: asked.events?.join() },
          }),
        };
  const earlier = keyed && (await earlierReplay(context, scope, keyed));
  if (earlier) return { replay: earlier, replayed: true };

  const range = await replayRangeOf(context, scope, asked);
  if (range.receiver?.disabledAt) throw new OperationError(Refusal.ReceiverInactive);
  const preview = await previewReplay(context, range);
  if (preview.more) throw wrongField("from", FieldRule.FewerEvents.text);
  const id = await begin(context, { ...range, by, skipFailed, keyed }, preview);
  const meanwhile = id === undefined && keyed ? await earlierReplay(context, scope, keyed) : undefined;
  if (meanwhile) return { replay: meanwhile, replayed: true };
  if (id === undefined) throw new Error("a replay was neither begun nor found");
  context.hints.changed(id);
  return { replay: await getReplay(context, scope, id), replayed: false };
}
