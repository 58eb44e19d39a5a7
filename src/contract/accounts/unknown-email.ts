/** Address of an organization's first user until they give one. */
export const unknownEmail = 'admin@localhost'
