import type { CheckoutLink } from "@tillgate/contract";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import type { PageLocale } from "#http/page-locale.ts";
import { openLink } from "#steps/open-link.ts";
import { Frame } from "#views/frame.tsx";
import { LinkForm, type LinkScreen } from "#views/link-form.tsx";
import { TextsProvider, useAddress, useLocalization } from "#views/localization.tsx";
import { Message, MessagePage } from "#views/message.tsx";
import { NotFound } from "#views/screen-view.tsx";
import type { IconName } from "#views/status-icon.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the payment link page, which needs no script. */
export default function LinkPage({ screen, ...locale }: PageLocale & { screen: LinkScreen }): ReactNode {
  return (
    <TextsProvider {...locale}>
      {screen.kind === "link" ? <OpenLink {...screen} /> : <MessageScreen kind={screen.kind} />}
    </TextsProvider>
  );
}

function OpenLink({ link, wrong, nonce }: Extract<LinkScreen, { kind: "link" }>): ReactNode {
  const { texts, fill, money } = useLocalization();
  const { merchant, state } = link;
  const title =
    link.amount === null
      ? fill(texts.heading.PENDING, { merchant: merchant.name })
      : fill(texts.title.PENDING, { amount: money(link.amount), merchant: merchant.name });
  return (
    <Frame
      title={state === "open" ? title : texts.link[state].title}
      sandbox={link.mode === "sandbox"}
      brand={merchant.accent !== null && nonce !== null ? { accent: merchant.accent, nonce } : null}
    >
      {state === "open" ? <LinkForm link={link} wrong={wrong} /> : <ClosedLink link={link} state={state} />}
    </Frame>
  );
}

const ICONS = { used: "PAID", expired: "EXPIRED", closed: "CANCELLED" } as const;

function ClosedLink({ link, state }: { link: CheckoutLink; state: keyof typeof ICONS }): ReactNode {
  const { texts, fill } = useLocalization();
  const { title, explanation } = texts.link[state];
  return (
    <Message
      title={title}
      explanation={fill(explanation, { merchant: link.merchant.name })}
      status={ICONS[state] satisfies IconName}
      {...(link.payment_url === null
        ? {}
        : { link: { href: link.payment_url, text: texts.link.resume, testId: "pay-link-go-on" } })}
    />
  );
}

function MessageScreen({ kind }: { kind: Exclude<LinkScreen["kind"], "link"> }): ReactNode {
  const { texts } = useLocalization();
  const address = useAddress();
  if (kind === "not_found") return <NotFound />;
  const message = {
    rate_limited: { title: texts.notice.too_many_attempts, explanation: texts.link.rate_limited },
    unavailable: { title: texts.unavailable.title, explanation: texts.link.away },
    rejected: { title: texts.rejected.title, explanation: texts.rejected.origin },
  }[kind];
  return (
    <MessagePage
      {...message}
      status={kind === "rejected" ? "REFUSED" : "UNAVAILABLE"}
      {...(address === null
        ? {}
        : { link: { href: address, text: texts.unavailable.retry, testId: "pay-link-retry" } })}
    />
  );
}

export const getServerSideProps: GetServerSideProps<PageLocale & { screen: LinkScreen }> = async (
  request,
) => {
  const { to, props } = await openLink(request);
  return to === null ? { props } : { redirect: { destination: to, statusCode: 303 } };
};
