import { accountPt } from "./account/pt";
import type { Texts } from "./en";
import { PASSKEY_TEXTS } from "./passkeys";

export const pt: Texts = {
  footer: "Pagamento seguro com a Tillgate. A loja nunca vê o seu PIN nem o seu saldo.",
  legal: { terms: "Termos de utilização", privacy: "Política de privacidade" },
  testMode: {
    title: "MODO DE TESTE",
    explanation: "Não circula dinheiro real.",
    pageTitle: "TESTE: {title}",
    receipt: "MODO DE TESTE: não circulou dinheiro real.",
  },

  title: {
    PENDING: "Pagar {amount} a {merchant}",
    PAID: "Pago: {amount} a {merchant}",
    CANCELLED: "Pagamento cancelado: {merchant}",
    EXPIRED: "Pagamento expirado: {merchant}",
    REFUND_PENDING: "Reembolso em curso: {merchant}",
    REFUNDED: "Reembolsado: {amount} por {merchant}",
  },
  heading: {
    PENDING: "Pagar a {merchant}",
    PAID: "Pagou {amount}",
    CANCELLED: "Pagamento cancelado",
    EXPIRED: "O prazo para pagar terminou",
    REFUND_PENDING: "O dinheiro está a caminho",
    REFUNDED: "Reembolso de {amount}",
  },

  order: {
    waiting: "À espera do seu pagamento",
    reference: "Referência {reference}",
    orderId: "Encomenda",
    timeLeft: "Faltam {time} para pagar",
    lastMinute: "Falta menos de um minuto para pagar.",
    lastSeconds: "Faltam 15 segundos para pagar.",
    payBefore: "Pague até {time}.",
    checkAgain: "Pagou noutro dispositivo? Verificar o estado",
  },
  connection: {
    offline: "Está sem ligação. Esta página continua sozinha assim que voltar.",
    lost: "A ligação perdeu-se. Esta página continua a tentar.",
    unavailable: "O serviço de pagamento não responde. Esta página continua a tentar.",
    clock: "Até lá, o relógio está parado.",
  },

  check: {
    status: "A verificar",
    title: "A verificar o seu pagamento",
    explanation:
      "A resposta perdeu-se pelo caminho. Esta página está a ver se pagou; deixe-a aberta. Uma encomenda nunca é cobrada duas vezes.",
    back: "Voltar ao pagamento",
  },

  signIn: {
    title: "Pague com a sua carteira Tillgate",
    identifier: "Número de telefone ou e-mail",
    pin: "PIN da sua carteira Tillgate",
    pinHint: "6 algarismos",
    submit: "Continuar",
    stay: "Manter a sessão neste dispositivo",
    stayHint: "Só num dispositivo seu. Para pagar continua a ser preciso o PIN ou a chave de acesso.",
    busy: "A entrar…",
    next: "A seguir vê a sua carteira. Nada é cobrado antes de confirmar.",
  },
  wallet: {
    signedIn: "Sessão de {name}",
    signOut: "Não é esta pessoa? Terminar sessão",
    signOutBusy: "A terminar sessão…",
    wrongPinsElsewhere: "Alguém introduziu PINs errados na sua conta.",
    wrongPinsElsewhereAdvice:
      "Não foi neste dispositivo. Ninguém entrou e pode continuar a pagar aqui. Ninguém além de si precisa de saber o seu PIN.",
    choose: "Pagar com",
    name: "Carteira em {currency}",
    chosen: "escolhida",
    about: "cerca de {price}",
    noRate: "não pode pagar em {currency}",
    missing: "faltam {missing}",
    pay: "Pagar {amount}",
    busy: "A pagar…",
    pin: "PIN, para confirmar a sua identidade",
    next: "Paga uma só vez e vê logo o seu recibo.",
    notEnough: "Não há saldo suficiente na sua carteira em {currency}",
    notEnoughAdvice:
      "Este pagamento precisa de {price}; a sua carteira tem {balance}, por isso faltam {missing}.",
    notEnoughTestAdvice: "Carregue-a aqui: depois volta a este pagamento. Ou pague com outra.",
    notEnoughLiveAdvice:
      "É o operador deste serviço de pagamento que carrega as carteiras: peça-lhe, ou pague com outra carteira.",
    none: "Não tem nenhuma carteira que possa pagar em {currency}",
    noneTestAdvice: "Carregue: abre-se uma carteira em {currency} e volta aqui para pagar.",
    noneAdvice: "Tem outra conta? Termine a sessão e use essa.",
    chooseAdvice: "Este pagamento é em {currency}. Escolha uma carteira para ver o preço exato.",
    sandboxAdvice: "No modo de teste também pode usar os botões de teste abaixo.",
  },
  passkey: PASSKEY_TEXTS.pt,
  quote: {
    pays: "Paga",
    receives: "{merchant} recebe",
    rate: "Câmbio",
    rateWithMargin: "Câmbio, margem de {margin} incluída",
    rateMarginIncluded: "Câmbio, margem incluída",
    rateValue: "{one} = {rate}",
    heldFor: "Câmbio garantido por",
    heldUntil: "Câmbio garantido até",
    over: "O câmbio já não está garantido",
    overAdvice: "Os câmbios mudam. Peça um novo; verá o preço exato antes de pagar.",
    renew: "Ver o preço agora",
    renewBusy: "A pedir o câmbio…",
  },
  sandbox: {
    title: "Botões de teste",
    explanation:
      "Aprovar paga a partir de um cliente de teste incorporado. Recusar mostra uma recusa; a encomenda continua aberta.",
    approve: "Aprovar",
    approveBusy: "A aprovar…",
    decline: "Recusar",
    declineBusy: "A recusar…",
    signIn: "Entrar como {name}",
    signInHint: "Em modo de teste, sem PIN.",
  },
  scan: {
    title: "Pague com o telemóvel",
    explanation: "Leia o código com a câmara.",
    linkOnly: "Abra nele este endereço.",
    live: "Esta página muda sozinha assim que pagar.",
    open: "Pagar com outro dispositivo",
    watch: "Mostrar só o código e esperar pelo pagamento",
    watchTitle: "Leia para pagar",
    watching: "Esta página verifica de poucos em poucos segundos se pagou.",
    back: "Pagar antes neste dispositivo",
    picture: "Código QR para pagar {amount} a {merchant}",
    address: "Endereço de pagamento",
    copy: "Copiar",
    copied: "Copiado",
    copyFailed: "Selecionado: copie agora",
  },
  cancel: {
    open: "Cancelar o pagamento",
    question: "Cancelar este pagamento? A encomenda já não poderá ser paga.",
    confirm: "Sim, cancelar",
    busy: "A cancelar…",
  },

  receipt: {
    transaction: "Transação",
    time: "Data",
    refunded: "Reembolsado",
    receivedBack: "Devolvido à sua carteira",
    paidFrom: "Retirado da sua carteira",
    rate: "Câmbio",
    next: "{merchant} recebeu o seu pagamento.",
    refundedInPart: "{refunded} de {amount} voltaram à carteira que pagou.",
    print: "Imprimir",
    copy: "Copiar o recibo",
    copied: "Copiado",
    copyFailed: "Selecionado: copie agora",
  },
  leaveScreen: {
    signedIn: "A sessão de {name} ainda está aberta",
    advice: "Outras pessoas usam este ecrã? Termine a sessão antes de sair.",
    signOut: "Terminar sessão neste ecrã",
  },
  ended: {
    CANCELLED: "Nada foi cobrado. Para pagar mesmo assim, comece um novo pagamento em {merchant}.",
    EXPIRED:
      "O prazo para pagar terminou e nada foi cobrado. Para tentar de novo, comece um novo pagamento em {merchant}.",
    REFUND_PENDING: "{merchant} está a devolver dinheiro. Chega à carteira que pagou.",
    REFUNDED: "{merchant} devolveu a totalidade à carteira que pagou.",
  },
  goBack: {
    link: "Voltar a {merchant}",
    counting: "Volta a {merchant} em {seconds} s.",
    stop: "Ficar aqui",
  },

  landing: {
    title: "O que a sua loja soube",
    delivered: "Webhook para {host}: chegou, resposta {status}.",
    waiting: "Webhook para {host}: a caminho.",
    refused: "Webhook para {host}: não aceite, resposta {status}; será enviado de novo.",
    failed: "Webhook para {host}: abandonado.",
    none: "Nenhum webhook saiu: dê um callback_url à encomenda ou adicione um ponto de receção.",
    order: "A encomenda lá: {status}.",
    orderIs: {
      pending: "Pagamento pendente",
      "on-hold": "Em espera",
      processing: "Em processamento",
      completed: "Concluída",
      cancelled: "Cancelada",
      refunded: "Reembolsada",
      failed: "Falhou",
    },
  },
  amounts: {
    ambiguous: "«{typed}» pode significar {small} ou {large}. Escreva {smallSpelling} ou {largeSpelling}.",
    ambiguousLarge:
      "«{typed}» pode significar {small} ou {large}. Para o segundo valor, escreva {largeSpelling}.",
  },
  link: {
    goOn: "Continuar o pagamento começado",
    go: "Ir para o pagamento",
    next: "Ainda nada foi pago. A seguir vê o valor mais uma vez e paga com a sua carteira.",
    amount: "Valor em {currency}",
    between: "De {min} a {max}.",
    atLeast: "No mínimo {min}.",
    atMost: "No máximo {max}.",
    wrongAmount: "Este valor não pode ser pago aqui. Introduza outro.",
    slow: "Espere um minuto e abra a ligação outra vez. Nada foi pago.",
    away: "Nada foi pago. Tente de novo dentro de momentos.",
    used: {
      title: "Isto já está pago",
      explanation:
        "Esta ligação de {merchant} servia para um número limitado de pagamentos, e todos foram feitos. Nada lhe foi cobrado.",
    },
    expired: {
      title: "Esta ligação expirou",
      explanation: "{merchant} já não aceita pagamentos por ela. Peça outra ligação.",
    },
    closed: {
      title: "Esta ligação está fechada",
      explanation: "{merchant} não aceita pagamentos por ela neste momento.",
    },
  },
  /** In a frame of the shop's page. */
  embed: {
    payHere: "Pagar aqui",
    next: "Abre a Tillgate num novo separador. O seu PIN só é pedido aí, nunca na página da loja.",
    scan: "Ou leia o código com a câmara do seu telemóvel.",
    receipt: "Ver o recibo",
  },
  till: {
    waits:
      "Ainda não há nenhum pagamento aberto aqui. Esta página abre-o sozinha assim que o valor for introduzido.",
  },
  root: {
    explanation:
      "Um pagamento começa numa loja: abra a página de pagamento ou leia o código. Depois paga aqui com a sua carteira Tillgate.",
  },
  notFound: {
    title: "Este pagamento não existe",
    explanation:
      "O endereço pode estar incompleto. Abra o pagamento de novo a partir da loja ou leia o código outra vez.",
  },
  unavailable: {
    title: "O serviço de pagamento não responde",
    explanation:
      "Se acabou de pagar, não pague segunda vez: o resultado aparece aqui assim que o serviço responder.",
    scriptAdvice: "Esta página tenta de poucos em poucos segundos e continua sozinha.",
    retry: "Tentar agora",
  },
  failed: {
    title: "Algo correu mal aqui",
    explanation: "Não foi possível mostrar a página. Tente de novo; o que pagou continua pago.",
  },
  refused: {
    title: "Este passo não foi aceite",
    origin: "O pedido não veio da página de pagamento, por isso nada foi feito.",
    method: "Este endereço só aceita os formulários da página de pagamento. Nada foi feito.",
    form: "O formulário não foi enviado como a página de pagamento o envia, por isso nada foi feito.",
    back: "Ir para o pagamento",
  },

  notice: {
    form_rejected: "Esta página estava desatualizada, por isso nada foi feito. Tente de novo.",
    wrong_sign_in: "O telefone ou e-mail e o PIN não correspondem. Tente de novo.",
    phone_without_country:
      "Introduza o número de telefone com o indicativo do país, por exemplo +351 912 345 678, ou o seu e-mail. Isto não conta como PIN errado.",
    wrong_pin: "Esse PIN não está certo, por isso nada foi pago. Tente de novo.",
    pin_needed: "Introduza o seu PIN para confirmar este pagamento. Ainda nada foi pago.",
    passkey_refused:
      "A chave de acesso não foi aceite, por isso nada foi pago. Tente de novo ou use o seu PIN.",
    too_many_passkeys: "Já há dez chaves de acesso. Remova primeiro uma na sua carteira.",
    passkey_added: "A chave de acesso está adicionada. Da próxima vez pode pagar com ela.",
    passkey_not_added:
      "Não foi adicionada nenhuma chave de acesso. Pode adicionar uma depois do próximo pagamento com PIN.",
    invalid_pin: "Introduza os 6 algarismos do seu PIN. Ainda nada foi pago.",
    locked:
      "Alguém introduziu demasiados PINs errados para este telefone ou e-mail, por isso está suspenso para novos dispositivos. Não foi o seu caso? Nada foi cobrado, e um dispositivo onde já entrou continua a funcionar.",
    device_locked:
      "Foram introduzidos demasiados PINs errados neste dispositivo, por isso está suspenso para sua segurança. Nada foi pago.",
    wrong_pins_before:
      "Antes de entrar, alguém introduziu demasiados PINs errados para o seu telefone ou e-mail. Não foi o seu caso? Ninguém entrou e nada foi cobrado.",
    too_many_attempts: "Demasiadas tentativas em pouco tempo.",
    not_signed_in: "A sua sessão terminou, por isso nada foi pago. Entre de novo.",
    no_wallet: "A sua conta não tem carteira que possa pagar isto, por isso nada foi pago.",
    wallet_closed: "Esta carteira está fechada, por isso nada foi pago. Use outra.",
    insufficient_balance: "Não há saldo suficiente na sua carteira, por isso nada foi pago.",
    no_rate: "De momento não há câmbio entre essa carteira e este pagamento. Use outra carteira.",
    quote_expired:
      "O câmbio já não estava garantido, por isso nada foi pago. Veja o preço e confirme de novo.",
    expired: "O prazo para pagar terminou antes deste passo. Nada foi cobrado.",
    cancelled: "Este pagamento foi cancelado antes deste passo. Nada foi cobrado.",
    already_paid: "Esta encomenda já foi paga noutro lado. Nada lhe foi cobrado.",
    link_used: "Esta ligação de pagamento esgotou-se: outras pessoas pagaram primeiro. Nada lhe foi cobrado.",
    not_payable_now: "Este pagamento não pode ser feito neste momento. Nada foi cobrado. Pergunte à loja.",
    sandbox_only: "Os botões de teste só funcionam no modo de teste.",
    not_found: "Este pagamento não existe.",
    invalid_field: "Introduza o seu telefone ou e-mail e os 6 algarismos do seu PIN.",
    declined: "Pagamento recusado. É a recusa de teste; pode tentar de novo.",
    unavailable:
      "O serviço de pagamento não respondeu. O estado abaixo é o atual: veja-o antes de tentar de novo.",
    unconfirmed: "O serviço de pagamento respondeu demasiado tarde. Nada lhe foi cobrado. Tente de novo.",
    pins_differ: "O PIN novo e a sua repetição não são iguais. Escreva os dois outra vez.",
    trivial_pin: "Este PIN é demasiado fácil de adivinhar. Escolha outro.",
    same_pin: "Esse é o PIN que já tem. Escolha outro.",
    identifier_taken: "Este telefone ou e-mail já tem uma carteira. Entre com ele.",
    unknown_shopper: "Nenhuma carteira de teste tem este telefone ou e-mail.",
    conversion_expired: "A taxa já não estava garantida; nada foi cambiado. Veja a nova.",
    cookies_needed: "O seu navegador não guarda cookies para esta página. Permita-os e tente de novo.",
  },
  lostAnswer: {
    offline:
      "Está sem ligação: nada foi enviado e nada lhe foi cobrado. Esta página verifica assim que voltar.",
    unknown:
      "A ligação caiu antes da resposta. Esta página está a verificar se pagou. Uma encomenda nunca é paga duas vezes.",
    unpaid: "Nada lhe foi cobrado. Tente de novo.",
    step: "A ligação caiu, por isso isto pode não ter sido feito. Tente de novo.",
    again: "Tentar de novo",
  },
  missing: "Faltam {missing}.",
  wait: {
    seconds: "Tente de novo dentro de {count, plural, one {# segundo} other {# segundos}}.",
    minutes: "Tente de novo dentro de {count, plural, one {# minuto} other {# minutos}}.",
    hours: "Tente de novo dentro de {count, plural, one {# hora} other {# horas}}.",
    clock: "Pode tentar de novo dentro de {time}.",
    over: "Já pode tentar de novo.",
  },
  account: accountPt,
  languages: "Idioma",
};
