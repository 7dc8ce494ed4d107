import type { Line } from "../../support/recordings/telephone-speech.ts";

/** A call of two minutes without numbers, which have more than one spelling. */
export const twoMinutes: readonly Line[] = [
  { speaker: "agent", text: "Good morning, this is the support line of the water company. How can I help you today?" },
  { speaker: "customer", text: "Hello, I would like to cancel my contract at the end of the month, please." },
  { speaker: "agent", text: "I am sorry to hear that. May I ask why you want to leave?", pauseMs: 600 },
  {
    speaker: "customer",
    text: "We are moving to another city in the spring, and the new house has its own well in the garden.",
  },
  { speaker: "agent", text: "I understand. Let me open your account. This can take a moment.", pauseMs: 350 },
  { speaker: "customer", text: "No problem, I have time.", pauseMs: 300 },
  {
    speaker: "agent",
    text: "Thank you for waiting. I can see your address on the river road. Is that correct?",
    pauseMs: 6500,
  },
  { speaker: "customer", text: "Yes, that is correct. We have lived there for many years." },
  { speaker: "agent", text: "Your last payment was received on Monday. The next bill would be sent in January." },
  {
    speaker: "customer",
    text: "Could you send the last bill to the new address? I will write it down for you in a letter.",
    pauseMs: 700,
  },
  { speaker: "agent", text: "Of course. You will also get a message when the meter was read.", pauseMs: -250 },
  { speaker: "customer", text: "Who reads the meter? Do I have to be at home on that day?" },
  {
    speaker: "agent",
    text: "One of our people comes by in the morning. If nobody is at home, a friend can open the door.",
    pauseMs: 500,
  },
  {
    speaker: "customer",
    text: "My sister is always at home in the morning. I will tell her about it tomorrow, and she will let you in.",
  },
  {
    speaker: "agent",
    text: "That works well for us. We call her before we come, so that she does not have to wait all day.",
  },
  {
    speaker: "customer",
    text: "Very good. She will be pleased about that, because she has a lot of work in the garden at the moment.",
  },
  { speaker: "agent", text: "Wonderful. Is there anything else that I can do for you?" },
  {
    speaker: "customer",
    text: "Yes, there is. The pressure in the kitchen has been very low since last week. It was never like that before.",
    pauseMs: 900,
  },
  {
    speaker: "agent",
    text: "There was some work on the main pipe in your street. It was finished on Friday, and everything should be fine again.",
  },
  {
    speaker: "customer",
    text: "Then I will check it again this evening and call you back if it is still bad.",
    pauseMs: 400,
  },
  { speaker: "agent", text: "Please do that. We are happy to send a technician, and it would cost you nothing." },
  { speaker: "customer", text: "Thank you very much. You have been a great help.", pauseMs: 350 },
  { speaker: "agent", text: "You are welcome. I wish you a good start in your new home." },
  { speaker: "customer", text: "Thanks. Goodbye." },
];
