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

/** The recipient and the events. Times are ISO 8601 with an offset. */
export type ReplayRange = ({ endpoint_id: string } | { callback_url: string }) & {
  /** Start of the range, inclusive. Defaults to the oldest retained event. */
  from?: string;
  /** End of the range, exclusive. Defaults to now. */
  to?: string;
  /** Events to send. Defaults to the endpoint's subscriptions or, for a URL, to the events of orders, refunds and payouts. */
  events?: readonly EventName[];
};

/** `POST /webhooks/replays`. */
export type CreateReplay = ReplayRange & {
  /** Continue with the next event if an attempt fails, instead of waiting for its retries. */
  skip_failed?: boolean;
  /** Generated if omitted, so that a retry does not create a second replay. */
  idempotency_key?: string;
};

/** `GET /webhooks/replays`. */
export type ListReplays = { endpoint_id?: string; cursor?: string; per_page?: number };

/** Replays resend the events of a time range, in order, to one endpoint or URL. */
export type Replays = {
  /** Counts the events that a replay would send. Nothing is sent. */
  preview(range: ReplayRange, options?: CallOptions): Promise<ReplayPreview>;
  create(input: CreateReplay, options?: CallOptions): Promise<Replay>;
  get(replayId: string, options?: CallOptions): Promise<Replay>;
  /** Returns a page of replays, newest first. */
  list(query?: ListReplays, options?: CallOptions): Promise<ReplayList>;
  /** Iterates over all replays, newest first: `for await (const replay of replays.all())`. */
  all(query?: ListReplays, options?: CallOptions): AsyncIterable<Replay>;
  /** Cancels a replay, which then sends no further events. */
  cancel(replayId: string, options?: CallOptions): Promise<Replay>;
  /** Resumes a stopped replay with the event at which it stopped. */
  resume(replayId: string, options?: CallOptions): Promise<Replay>;
};

export function replaysResource(transport: Transport): Replays {
  const base = "/webhooks/replays";
  const step =
    (name: "cancel" | "resume"): Replays["cancel"] =>
    async (replayId, options = {}) => {
      const path = `${base}/${encodeURIComponent(replayId)}/${name}`;
      const schema = replayResponseSchema;
      return send(transport, { method: "POST", path, body: {}, schema, ...options });
    };
  const list: Replays["list"] = async (query = {}, options = {}) => {
    const schema = replayListResponseSchema;
    return send(transport, { method: "GET", path: base, query: { ...query }, schema, ...options });
  };
  return {
    async preview(body, options = {}) {
      const schema = replayPreviewResponseSchema;
      return send(transport, { method: "POST", path: `${base}/preview`, body, schema, ...options });
    },
    async create(input, options = {}) {
      const { signal } = options;
      const call = { path: base, schema: replayResponseSchema, ...withIdempotencyKey(input, options) };
      return send(transport, { method: "POST", ...call, signal });
    },
    async get(replayId, options = {}) {
      const path = `${base}/${encodeURIComponent(replayId)}`;
      return send(transport, { method: "GET", path, schema: replayResponseSchema, ...options });
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
