import type { Language } from "../texts/languages";

/** The dialog's name, its close button, and the way to the page by itself. The rest is in the frame. */
const LANGUAGES: Record<Language, readonly [string, string, string]> = {
  en: ["Payment", "Close", "Open the payment page"],
  fr: ["Paiement", "Fermer", "Ouvrir la page de paiement"],
  de: ["Zahlung", "Schließen", "Zahlungsseite öffnen"],
  es: ["Pago", "Cerrar", "Abrir la página de pago"],
  pt: ["Pagamento", "Fechar", "Abrir a página de pagamento"],
  ar: ["الدفع", "إغلاق", "فتح صفحة الدفع"],
};

/** By any text: a page may say that it is in a language that we have no words in. */
export const TEXTS: typeof LANGUAGES & Partial<Record<string, readonly [string, string, string]>> = LANGUAGES;
