import type { CheckoutLink } from "@tillgate/contract";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import type { Spoken } from "#http/page-locale.ts";
import { openLink } from "#steps/open-link.ts";
import { Frame } from "#views/frame.tsx";
import { LinkForm, type LinkScreen } from "#views/link-form.tsx";
import { Message } from "#views/message.tsx";
import { NotFound } from "#views/screen-view.tsx";
import type { SignName } from "#views/sign.tsx";
import { Speaking, useAddress, useWords } from "#views/words.tsx";

export const config = { unstable_runtimeJS: false };

/** Payment link page. It needs no script. */
export default function LinkPage({ screen, ...spoken }: Spoken & { screen: LinkScreen }): ReactNode {
  return (
    <Speaking {...spoken}>
      {screen.kind === "link" ? <Opened {...screen} /> : <Told kind={screen.kind} />}
    </Speaking>
  );
}

function Opened({ link, wrong, nonce }: Extract<LinkScreen, { kind: "link" }>): ReactNode {
  const { texts, fill } = useWords();
  const { merchant, state } = link;
  const title = fill(texts.title.PENDING, {
    amount: link.amount ?? link.currency,
    merchant: merchant.name,
  });
  return (
    <Frame
      title={state === "open" ? title : texts.link[state].title}
      sandbox={link.mode === "sandbox"}
      brand={merchant.accent !== null && nonce !== null ? { accent: merchant.accent, nonce } : null}
    >
      {state === "open" ? <LinkForm link={link} wrong={wrong} /> : <Closed link={link} state={state} />}
    </Frame>
  );
}

const SIGNS = { used: "PAID", expired: "EXPIRED", closed: "CANCELLED" } as const;

function Closed({ link, state }: { link: CheckoutLink; state: keyof typeof SIGNS }): ReactNode {
  const { texts, fill } = useWords();
  const { title, explanation } = texts.link[state];
  return (
    <Message
      title={title}
      explanation={fill(explanation, { merchant: link.merchant.name })}
      status={SIGNS[state] satisfies SignName}
      {...(link.payment_url === null
        ? {}
        : { link: { href: link.payment_url, text: texts.link.goOn, testId: "pay-link-go-on" } })}
    />
  );
}

function Told({ kind }: { kind: Exclude<LinkScreen["kind"], "link"> }): ReactNode {
  const { texts } = useWords();
  const address = useAddress();
  if (kind === "not_found") return <NotFound />;
  const said = {
    slow: { title: texts.notice.too_many_attempts, explanation: texts.link.slow },
    unavailable: { title: texts.unavailable.title, explanation: texts.link.away },
    refused: { title: texts.refused.title, explanation: texts.refused.origin },
  }[kind];
  return (
    <Frame title={said.title}>
      <Message
        {...said}
        status={kind === "refused" ? "REFUSED" : "UNAVAILABLE"}
        {...(address === null
          ? {}
          : { link: { href: address, text: texts.unavailable.retry, testId: "pay-link-retry" } })}
      />
    </Frame>
  );
}

export const getServerSideProps: GetServerSideProps<Spoken & { screen: LinkScreen }> = async (request) => {
  const { to, props } = await openLink(request);
  return to === null ? { props } : { redirect: { destination: to, statusCode: 303 } };
};
