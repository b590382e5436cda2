import { z } from "zod";

/** Returns metadata as JSON text, which preserves the order of the keys; null without metadata. */
export const serializeMetadata = (metadata: Record<string, string> | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const stored = z.record(z.string(), z.string());

export const parseMetadata = ({ metadata }: { metadata: string | null }): Record<string, string> | null =>
  metadata === null ? null : stored.parse(JSON.parse(metadata));
