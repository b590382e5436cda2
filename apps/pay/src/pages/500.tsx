import type { ReactNode } from "react";
import { englishLocalization } from "#texts/localization.ts";
import { Frame } from "#views/frame.tsx";
import { Message } from "#views/message.tsx";

/** Overrides Next's own page, which ships its runtime. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  const { texts } = englishLocalization;
  return (
    <Frame title={texts.failed.title}>
      <Message title={texts.failed.title} explanation={texts.failed.explanation} status="FAILED" />
    </Frame>
  );
}
