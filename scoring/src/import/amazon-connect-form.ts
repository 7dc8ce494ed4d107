import { z } from "zod";

// The members of CreateEvaluationForm and DescribeEvaluationForm that matter here. Others are ignored.
const AutomaticFail = {
  AutomaticFail: z.boolean().nullish(),
  AutomaticFailConfiguration: z.object({ TargetSection: z.string().nullish() }).nullish(),
};

const ConnectOption = z.object({
  RefId: z.string().max(200),
  Text: z.string().max(10_000),
  Score: z.int().min(0).max(1000).nullish(),
  ...AutomaticFail,
});
export type ConnectOption = z.output<typeof ConnectOption>;

const ConnectRange = z.object({
  MinValue: z.number(),
  MaxValue: z.number(),
  Score: z.int().min(0).max(1000).nullish(),
  ...AutomaticFail,
});
export type ConnectRange = z.output<typeof ConnectRange>;

const Options = z.object({ Options: z.array(ConnectOption), Automation: z.unknown().optional() });

const Expression = z.object({
  Source: z.object({ RefId: z.string().nullish() }),
  Values: z.array(z.object({ RefId: z.string().nullish() })).max(100),
  Comparator: z.string(),
});
export type ConnectExpression = z.output<typeof Expression>;

const Enablement = z.object({
  Action: z.enum(["ENABLE", "DISABLE"]),
  DefaultAction: z.enum(["ENABLE", "DISABLE"]).nullish(),
  Condition: z.object({
    Operator: z.enum(["AND", "OR"]).nullish(),
    Operands: z.array(z.object({ Expression: Expression.nullish() })).max(100),
  }),
});
export type ConnectEnablement = z.output<typeof Enablement>;

const ConnectQuestion = z.object({
  RefId: z.string().max(200),
  Title: z.string().max(10_000),
  QuestionType: z.string(),
  Instructions: z.string().max(10_000).nullish(),
  NotApplicableEnabled: z.boolean().nullish(),
  Weight: z.number().min(0).max(1e6).nullish(),
  Enablement: Enablement.nullish(),
  QuestionTypeProperties: z
    .object({
      SingleSelect: Options.nullish(),
      MultiSelect: Options.nullish(),
      Numeric: z.object({ Options: z.array(ConnectRange).nullish(), Automation: z.unknown().optional() }).nullish(),
      Text: z.object({ Automation: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});
export type ConnectQuestion = z.output<typeof ConnectQuestion>;

const sectionOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    RefId: z.string().max(200),
    Title: z.string().max(10_000),
    Instructions: z.string().max(10_000).nullish(),
    Weight: z.number().min(0).max(1e6).nullish(),
    Items: z.array(item).max(1000),
  });

export interface ConnectItem {
  readonly Question?: ConnectQuestion | null | undefined;
  readonly Section?: ConnectSection | null | undefined;
}
export interface ConnectSection {
  readonly RefId: string;
  readonly Title: string;
  readonly Instructions?: string | null | undefined;
  readonly Weight?: number | null | undefined;
  readonly Items: readonly ConnectItem[];
}

const Question = ConnectQuestion.nullish();
// Amazon Connect has two levels of sections.
const Innermost: z.ZodType<ConnectItem> = z.object({ Question });
const Inner: z.ZodType<ConnectItem> = z.object({ Question, Section: sectionOf(Innermost).nullish() });
const Item: z.ZodType<ConnectItem> = z.object({ Question, Section: sectionOf(Inner).nullish() });

const Form = z.object({
  Title: z.string().max(10_000),
  Description: z.string().max(10_000).nullish(),
  Items: z.array(Item).max(1000),
  ScoringStrategy: z.object({ Mode: z.string(), Status: z.string() }).nullish(),
  AutoEvaluationConfiguration: z.object({ Enabled: z.boolean().nullish() }).nullish(),
});
export type ConnectForm = z.output<typeof Form>;

/** The body of CreateEvaluationForm, or the response of DescribeEvaluationForm. */
export const ConnectForm = z.preprocess(
  (input) => (typeof input === "object" && input !== null && "EvaluationForm" in input ? input.EvaluationForm : input),
  Form,
);
