import { Refusal } from "@tillgate/contract";
import { callOne, ledger } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { recordOnConnection } from "../administration/change.js";
import { type ReceiverChange, requireReceiver } from "./receiver.js";
import { recordOfReceiverChange } from "./record-receiver-change.js";
import { getReplay, type ReplayView, requireReplay } from "./replay.js";
import { refuseSecondReplay } from "./start-replay.js";

export const REPLAY_STEPS = ["cancel", "resume"] as const;
export type ReplayStep = (typeof REPLAY_STEPS)[number];

/** For each step: the state after it, and the statement that takes it once. */
const STEPS: Record<ReplayStep, { state: ReplayView["state"]; sql: string }> = {
  cancel: {
    state: "cancelled",
    sql: `UPDATE replays SET state = 'cancelled', event_id = NULL, delivery_id = NULL, ended_at = clock_timestamp()
      WHERE id = $1 AND state IN ('running', 'stopped')`,
  },
  resume: {
    state: "running",
    sql: "UPDATE replays SET state = 'running' WHERE id = $1 AND state = 'stopped'",
  },
};

/**
 * Cancels a replay, or has a stopped one go on with the event that was given up. A step that is already done changes nothing.
 * @throws OperationError ReplayNotFound; ReplayOver; for a resumed one ReceiverNotFound, ReceiverInactive and ReplayUnderWay.
 */
export async function setReplayState(
  context: Pick<Context, "database" | "hints">,
  { step, replayId, ...input }: Omit<ReceiverChange, "dryRun"> & { replayId: string; step: ReplayStep },
): Promise<ReplayView> {
  const { pool, prisma } = context.database;
  const { receiverId, state: earlier } = await requireReplay(prisma, input, replayId);
  if (step === "resume" && earlier === "stopped" && receiverId !== null) {
    const { disabledAt } = await requireReceiver(prisma, input, receiverId);
    if (disabledAt) throw new OperationError(Refusal.ReceiverInactive);
  }
  const { state, sql } = STEPS[step];
  const changed = await refuseSecondReplay(() =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(sql, [replayId]);
      if (rowCount !== 1) return false;
      await callOne(client, ledger.advanceReplay, { replay: replayId });
      await recordOnConnection(
        client,
        recordOfReceiverChange(input, receiverId ?? replayId, `receiver.replay_${step}`, {
          ...{ mode: input.mode, replay: replayId },
        }),
      );
      return true;
    }),
  );
  if (changed) context.hints.changed(replayId);
  const replay = await getReplay(context, input, replayId);
  if (!changed && replay.state !== state) throw new OperationError(Refusal.ReplayOver);
  return replay;
}
