import {
  type EventName,
  type Replay,
  type ReplayList,
  type ReplayPreview,
  replayListResponseSchema,
  replayPreviewResponseSchema,
  replayResponseSchema,
} from "@tillgate/contract";
import { type CallOptions, withIdempotencyKey } from "./call-options.js";
import { walk } from "./paging.js";
import { send, type Transport } from "./send.js";

/** Where to, and which events. Times are ISO 8601 with an offset. */
export type ReplayRange = ({ endpoint_id: string } | { callback_url: string }) & {
  /** Left out: from the oldest event that is kept. */
  from?: string;
  /** Left out: up to now. */
  to?: string;
  /** Left out: those that the endpoint chose; for an address all. */
  events?: readonly EventName[];
};

/** `POST /webhooks/replays`. */
export type CreateReplay = ReplayRange & {
  /** Go on with the next event when an attempt fails, instead of waiting for it. */
  skip_failed?: boolean;
  /** Made by the client where it is left out, so that a retry begins no second one. */
  idempotency_key?: string;
};

/** `GET /webhooks/replays`. */
export type ListReplays = { endpoint_id?: string; cursor?: string; per_page?: number };

/** Events of a range sent again, in order, to one endpoint or address. */
export type Replays = {
  /** What one would send now. Nothing is sent. */
  preview(range: ReplayRange, options?: CallOptions): Promise<ReplayPreview>;
  create(input: CreateReplay, options?: CallOptions): Promise<Replay>;
  get(replayId: string, options?: CallOptions): Promise<Replay>;
  /** One page, the newest first. */
  list(query?: ListReplays, options?: CallOptions): Promise<ReplayList>;
  /** All of them, page by page: `for await (const replay of replays.all())`. */
  all(query?: ListReplays, options?: CallOptions): AsyncIterable<Replay>;
  /** Sends no further event. */
  cancel(replayId: string, options?: CallOptions): Promise<Replay>;
  /** Goes on with the event that was given up. */
  resume(replayId: string, options?: CallOptions): Promise<Replay>;
};

export function replaysOf(transport: Transport): Replays {
  const base = "/webhooks/replays";
  const step =
    (name: "cancel" | "resume"): Replays["cancel"] =>
    async (replayId, options = {}) => {
      const path = `${base}/${encodeURIComponent(replayId)}/${name}`;
      const schema = replayResponseSchema;
      return (await send(transport, { method: "POST", path, body: {}, schema, ...options })).data;
    };
  const list: Replays["list"] = async (query = {}, options = {}) => {
    const schema = replayListResponseSchema;
    return (await send(transport, { method: "GET", path: base, query: { ...query }, schema, ...options }))
      .data;
  };
  return {
    async preview(body, options = {}) {
      const schema = replayPreviewResponseSchema;
      return (await send(transport, { method: "POST", path: `${base}/preview`, body, schema, ...options }))
        .data;
    },
    async create(input, options = {}) {
      const { signal } = options;
      const call = { path: base, schema: replayResponseSchema, ...withIdempotencyKey(input, options) };
      return (await send(transport, { method: "POST", ...call, signal })).data;
    },
    async get(replayId, options = {}) {
      const path = `${base}/${encodeURIComponent(replayId)}`;
      return (await send(transport, { method: "GET", path, schema: replayResponseSchema, ...options })).data;
    },
    list,
    all: (filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const page = await list(query, options);
        return { items: page.replays, next: page.next_cursor };
      }),
    cancel: step("cancel"),
    resume: step("resume"),
  };
}
