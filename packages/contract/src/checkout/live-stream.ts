/**
 * Heartbeats are events, not comments, because browsers hide comments from scripts. The page's script imports this file, so it must not import
 * anything.
 */

/** The heartbeat's data is an empty object, because browsers drop events without data. */
export const STREAM_ALIVE_EVENT = "alive";
/** The first heartbeat is sent immediately. */
export const STREAM_ALIVE_MS = 15_000;
/** A stream without events for this long is considered dead. Tolerates one late heartbeat. */
export const STREAM_SILENT_MS = 25_000;
