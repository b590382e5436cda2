import type { ReactNode } from "react";
import { plainWords } from "#texts/words.ts";
import { Frame } from "#views/frame.tsx";
import { Message } from "#views/message.tsx";

/** Overrides Next's own page, which ships its runtime. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  const { texts } = plainWords;
  return (
    <Frame title={texts.failed.title}>
      <Message title={texts.failed.title} explanation={texts.failed.explanation} status="FAILED" />
    </Frame>
  );
}
