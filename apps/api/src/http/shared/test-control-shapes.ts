import type { BringToEndRequest, BroughtToEnd, TestControl } from "@tillgate/contract";
import type { OrderedControl } from "../../operations/sandbox/test-controls.js";
import { wireTime } from "./wire-time.js";

export const shapeControl = ({
  id,
  control,
  remaining,
  seconds,
  createdAt,
  expiresAt,
}: OrderedControl): TestControl => ({
  control_id: id,
  control,
  left: remaining,
  seconds,
  created_at: wireTime(createdAt),
  expires_at: wireTime(expiresAt),
});

export const shapeEnding = ({ kind, id }: BringToEndRequest, endsAt: Date): BroughtToEnd => ({
  kind,
  id,
  expires_at: wireTime(endsAt),
});
