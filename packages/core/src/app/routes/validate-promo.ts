import {
  normaliseFields,
  promoFields,
  promoValidMessage,
  rulesIn,
  type ValidatePromoResponse,
  validateFields,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/index.ts';
import { jsonResponse, languageHeaders, readJsonBody } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';

/** `POST /promo/validate` (source: live). */
export function validatePromo({ engine, settings, dialect }: Tools): OperationHandler {
  const rules = rulesIn(promoFields, dialect);
  return async ({ request, locale }) => {
    const fields = normaliseFields(promoFields, await readJsonBody(request, settings.limits.bodyBytes));
    const checked = validateFields(rules, fields, settings.limits);
    if ('errors' in checked) throw invalidFields(checked.errors);
    const body: ValidatePromoResponse = {
      success: true,
      message: promoValidMessage[locale],
      data: await engine.validatePromo(checked.values),
    };
    return jsonResponse(200, body, languageHeaders(locale));
  };
}
