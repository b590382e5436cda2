import type { Language } from "#texts/languages.ts";

type Texts = {
  /** Accessible name of the dialog and the frame. */
  title: string;
  close: string;
  openPage: string;
  /** Shown when the frame does not load; the payment's state is unknown. */
  blocked: string;
  back: string;
};

/** Texts of the dialog around the frame. The frame has its own texts. */
const TEXTS: Record<Language, Texts> = {
  en: {
    title: "Payment",
    close: "Close",
    openPage: "Open the payment page",
    blocked: "The payment can’t be shown here. Open it on its own page.",
    back: "Back to the shop",
  },
  fr: {
    title: "Paiement",
    close: "Fermer",
    openPage: "Ouvrir la page de paiement",
    blocked: "Le paiement ne peut pas s’afficher ici. Ouvrez-le dans une page à part.",
    back: "Retour à la boutique",
  },
  de: {
    title: "Zahlung",
    close: "Schließen",
    openPage: "Zahlungsseite öffnen",
    blocked: "Die Zahlung kann hier nicht angezeigt werden. Öffnen Sie sie auf einer eigenen Seite.",
    back: "Zurück zum Shop",
  },
  es: {
    title: "Pago",
    close: "Cerrar",
    openPage: "Abrir la página de pago",
    blocked: "El pago no se puede mostrar aquí. Ábrelo en una página aparte.",
    back: "Volver a la tienda",
  },
  pt: {
    title: "Pagamento",
    close: "Fechar",
    openPage: "Abrir a página de pagamento",
    blocked: "Não é possível mostrar o pagamento aqui. Abra-o em outra página.",
    back: "Voltar à loja",
  },
  ar: {
    title: "الدفع",
    close: "إغلاق",
    openPage: "فتح صفحة الدفع",
    blocked: "لا يمكن عرض صفحة الدفع هنا. افتحها في صفحة مستقلة.",
    back: "العودة إلى المتجر",
  },
};

export type LocalizedTexts = { language: Language; texts: Texts };

/** Returns the texts in the first of these languages that is supported, otherwise in English. @param languages BCP 47 tags */
export function pickTexts(languages: readonly string[]): LocalizedTexts {
  const language = languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((name): name is Language => Object.hasOwn(TEXTS, name));
  return { language: language ?? "en", texts: TEXTS[language ?? "en"] };
}
