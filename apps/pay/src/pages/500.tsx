import type { ReactNode } from "react";
import { englishLocalization } from "#texts/localization.ts";
import { MessagePage } from "#views/message.tsx";

/** This page replaces Next's own, which would load Next's runtime. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  const { texts } = englishLocalization;
  return <MessagePage title={texts.failed.title} explanation={texts.failed.explanation} status="FAILED" />;
}
