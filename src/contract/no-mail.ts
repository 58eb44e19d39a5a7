/** Why nothing that needs e-mail works in this installation. */
export const noMail =
  'This service sends no e-mail: its administrator must set SPOOL_SMTP_URL and SPOOL_SMTP_FROM.'
