/**
 * The signs of life of `GET /checkout/v1/orders/{token}/events`. They are events, not comments, because a browser hides
 * comments from the page. The page's script imports this file, so it must not import anything.
 */

/** The event's name; it carries an empty object, as a browser drops events without data. */
export const STREAM_ALIVE_EVENT = "alive";
/** A sign of life comes at the beginning and then this often. */
export const STREAM_ALIVE_MS = 15_000;
/** After this silence a stream is dead, whatever the connection looks like: one sign may come late. */
export const STREAM_SILENT_MS = 25_000;
