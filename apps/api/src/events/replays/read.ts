import {
  ErrorCode,
  type EventName,
  type EventPosition,
  isEventName,
  replayStateSchema,
} from "@tillgate/contract";
import type { ReplayModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { findIdsByTime } from "../../pagination/ids-by-time.js";
import { type CursorField, invalidCursor, sortByIds } from "../../pagination/keyset-page.js";
import { isIssuedId } from "../../platform/ids.js";
import { type Page, toPage } from "../deliveries/list.js";
import { type EndpointScope, requireEndpoint } from "../endpoints/read.js";

export type ReplayView = {
  id: string;
  /** The target: an endpoint or a URL. */
  receiverId: string | null;
  address: string | null;
  from: Date;
  to: Date;
  events: EventName[];
  skipFailed: boolean;
  state: "running" | "stopped" | "completed" | "cancelled";
  total: number;
  sent: number;
  failed: number;
  /** Position of the last event that was delivered or skipped. */
  position: EventPosition | null;
  /** The current event. */
  eventId: string | null;
  deliveryId: string | null;
  createdAt: Date;
  endedAt: Date | null;
};

export const viewReplay = ({ fromTime, toTime, turn, number, ...replay }: ReplayModel): ReplayView => ({
  ...replay,
  from: fromTime,
  to: toTime,
  events: replay.events.filter(isEventName),
  state: replayStateSchema.parse(replay.state),
  position: turn === 0n ? null : { turn, number },
});

type Reader = Pick<Context["database"]["prisma"], "replay">;

/** @throws OperationError ReplayNotFound, including for a replay of another merchant or mode. */
export async function requireReplay(
  { replay }: Reader,
  { merchantId, mode }: EndpointScope,
  id: string,
): Promise<ReplayModel> {
  const row = isIssuedId(id) ? await replay.findFirst({ where: { id, merchantId, mode } }) : null;
  if (!row) throw new OperationError(ErrorCode.ReplayNotFound);
  return row;
}

/** @throws OperationError ReplayNotFound. */
export const getReplay = async (
  { database: { prisma } }: Pick<Context, "database">,
  scope: EndpointScope,
  id: string,
): Promise<ReplayView> => viewReplay(await requireReplay(prisma, scope, id));

export type ReplayListRequest = {
  /** Default: all endpoints and URLs. */
  receiverId?: string | undefined;
  before?: string | undefined;
  per_page: number;
  cursorField?: CursorField;
};

/** @throws OperationError ReceiverNotFound; InvalidFields for a `before` that is not in the list. */
export async function listReplays(
  { database: { pool, prisma } }: Pick<Context, "database">,
  scope: EndpointScope,
  { receiverId, before, per_page, cursorField }: ReplayListRequest,
): Promise<Page<ReplayView>> {
  const { merchantId, mode } = scope;
  if (receiverId !== undefined) await requireEndpoint(prisma, scope, receiverId);
  const among = { merchantId, mode, ...(receiverId === undefined ? {} : { receiverId }) };
  const cursor =
    before !== undefined && isIssuedId(before)
      ? await prisma.replay.findFirst({ where: { ...among, id: before } })
      : null;
  if (before !== undefined && !cursor) throw invalidCursor(cursorField ?? "before");
  const ids = await findIdsByTime(pool, {
    table: "replays",
    where: `merchant_id = $1 AND mode = $2${receiverId === undefined ? "" : " AND receiver_id = $3"}`,
    values: [merchantId, mode, ...(receiverId === undefined ? [] : [receiverId])],
    before,
    most: per_page + 1,
  });
  const rows = await prisma.replay.findMany({ where: { id: { in: ids } } });
  return toPage(sortByIds(ids, rows).map(viewReplay), per_page);
}
