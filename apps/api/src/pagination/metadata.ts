import { z } from "zod";

/** `metadata` as stored: JSON text, which preserves the order of its keys. */
export const metadataText = (metadata: Record<string, string> | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const stored = z.record(z.string(), z.string());

/** `metadata` as returned. */
export const metadataOf = ({ metadata }: { metadata: string | null }): Record<string, string> | null =>
  metadata === null ? null : stored.parse(JSON.parse(metadata));
