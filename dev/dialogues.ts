export type Speaker = "agent" | "customer";
type Line = readonly [speaker: Speaker, text: string, pauseMs?: number];
export interface Dialogue {
  readonly language: "en" | "fr";
  readonly lines: readonly Line[];
}

/** Values that differ between calls, in both languages. */
export interface Details {
  readonly agent: string;
  readonly customer: string;
  readonly number: string;
  readonly amount: string;
}

/** Scripts of the demo calls. Each pause comes before its line; a negative pause is overtalk. */
export function dialogues({ agent, customer, number, amount }: Details): Dialogue[] {
  return [
    {
      language: "en",
      lines: [
        ["agent", `Good morning, this is ${agent} at customer support. How can I help you?`],
        ["customer", `Hello, my name is ${customer}. I have a question about my last invoice.`],
        ["agent", "Of course. Could you tell me the invoice number, please?"],
        ["customer", `Yes. It is ${number}.`],
        ["agent", "Thank you. One moment, please. I am opening it now."],
        ["agent", `I can see it. You paid ${amount} euros, and the same amount again two days later.`, 5500],
        ["customer", "Exactly! I was charged twice.", -400],
        ["agent", "I am sorry about that. I have sent the money back. You will have it on Friday."],
        ["customer", "That is great. Thank you for your help."],
        ["agent", "You are welcome. Have a nice day."],
        ["customer", "Goodbye."],
      ],
    },
    {
      language: "en",
      lines: [
        ["agent", `Customer support, ${agent} speaking.`],
        ["customer", "Hi. My parcel was due on Monday, and it is still not here."],
        ["agent", "I am sorry to hear that. What is the tracking number?"],
        ["customer", `It is ${number}.`],
        ["agent", "Let me check with the depot. Please hold the line."],
        ["customer", "All right.", -200],
        ["agent", `Thank you for waiting, ${customer}. The parcel is in the van, and it will arrive today.`, 9000],
        ["customer", "Today? At what time? I have to leave at four."],
        ["agent", "Before two o'clock. You will get a message half an hour before."],
        ["customer", "Perfect. That is all I needed."],
        ["agent", "Thank you for calling. Goodbye."],
      ],
    },
    {
      language: "en",
      lines: [
        ["agent", `Hello, this is ${agent} from the service desk. Am I speaking with ${customer}?`],
        ["customer", "Yes, speaking."],
        ["agent", `You wrote to us about your subscription of ${amount} euros a month.`],
        ["customer", "That is right. I would like to cancel it. I hardly use it."],
        ["agent", "I understand. May I ask what you were missing?"],
        ["customer", "Honestly, it is too expensive, and the application is slow on my phone."],
        ["agent", "We have a smaller plan at half the price. Would that be interesting for you?"],
        ["customer", "Half the price? And I can cancel it every month?", -300],
        ["agent", "Yes, with one click in your account."],
        ["customer", "Then let us do that.", 1600],
        ["agent", `Done. Your reference is ${number}. You will get a confirmation by email.`],
        ["customer", "Thanks. Bye."],
      ],
    },
    {
      language: "en",
      lines: [
        ["agent", `Technical support, my name is ${agent}. What can I do for you?`],
        ["customer", "My internet connection has been down since this morning."],
        ["agent", "Which lights do you see on the box?"],
        ["customer", "The first one is green, and the second one is blinking red."],
        ["agent", "Thank you. Please unplug it, count to ten, and plug it in again."],
        ["customer", "Okay. I am doing it now."],
        ["customer", "It is starting. Wait. Yes, now both lights are green!", 7500],
        ["agent", "Very good. I will watch your line until tonight."],
        ["customer", "And if it happens again?"],
        ["agent", `Then call us with the number ${number}, and we will send a technician at no cost.`],
        ["customer", "Thank you very much. You have been really helpful."],
      ],
    },
    {
      language: "fr",
      lines: [
        ["agent", `Service client bonjour, ${agent} à votre écoute.`],
        ["customer", `Bonjour, je suis ${customer}. Je vous appelle au sujet de ma dernière facture.`],
        ["agent", "Oui, bien sûr. Pouvez-vous me donner le numéro de la facture ?"],
        ["customer", `C'est le ${number}.`],
        ["agent", "Merci. Un instant, s'il vous plaît, je l'ouvre."],
        ["agent", `Voilà. Je vois un paiement de ${amount} euros, et le même deux jours plus tard.`, 5500],
        ["customer", "C'est ça ! J'ai payé deux fois.", -400],
        ["agent", "Je vous prie de nous excuser. Vous serez remboursé vendredi."],
        ["customer", "Parfait. Je vous remercie."],
        ["agent", "Je vous en prie. Bonne journée."],
        ["customer", "Au revoir."],
      ],
    },
    {
      language: "fr",
      lines: [
        ["agent", `Bonjour, ${agent} du service livraison. Que puis-je faire pour vous ?`],
        ["customer", "Bonjour. Mon colis devait arriver lundi, et je n'ai toujours rien reçu."],
        ["agent", "Je comprends. Quel est le numéro de suivi ?"],
        ["customer", `Alors, c'est le ${number}.`],
        ["agent", "Merci. Je me renseigne auprès du dépôt. Ne quittez pas."],
        ["customer", "D'accord.", -200],
        ["agent", `Merci d'avoir patienté. Votre colis est dans le camion, il arrive aujourd'hui.`, 9000],
        ["customer", "À quelle heure ? Je dois partir à seize heures."],
        ["agent", "Avant quatorze heures. Vous recevrez un message une demi-heure avant."],
        ["customer", "Très bien, merci beaucoup."],
        ["agent", `Merci de votre appel, ${customer}. Au revoir.`],
      ],
    },
    {
      language: "fr",
      lines: [
        ["agent", `Assistance technique, bonjour, je m'appelle ${agent}.`],
        ["customer", "Bonjour. Je n'ai plus internet depuis ce matin."],
        ["agent", "Quels voyants voyez-vous sur la box ?"],
        ["customer", "Le premier est vert, et le deuxième clignote en rouge."],
        ["agent", "Débranchez-la, comptez jusqu'à dix, puis rebranchez-la, s'il vous plaît."],
        ["customer", "D'accord, je le fais."],
        ["customer", "Elle redémarre. Attendez. Oui, maintenant tout est vert !", 7500],
        ["agent", "Très bien. Je surveille votre ligne jusqu'à ce soir."],
        ["customer", "Et si ça recommence ?", -300],
        ["agent", `Rappelez-nous avec le numéro ${number}, et un technicien passera gratuitement.`],
        ["customer", "Merci beaucoup pour votre aide."],
      ],
    },
  ];
}
