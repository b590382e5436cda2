import type { ReactNode } from "react";
import { NotFound } from "#views/screen-view.tsx";

/** This page replaces Next's own, which would load Next's runtime. */
export const config = { unstable_runtimeJS: false };

export default function NotFoundPage(): ReactNode {
  return <NotFound />;
}
