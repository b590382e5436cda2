import { z } from "zod";

/** `metadata` as it is stored: JSON, as text, so that its keys come back in the order they were sent in. */
export const metadataText = (metadata: Record<string, string> | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const stored = z.record(z.string(), z.string());

/** `metadata` as it is answered. */
export const metadataOf = ({ metadata }: { metadata: string | null }): Record<string, string> | null =>
  metadata === null ? null : stored.parse(JSON.parse(metadata));
