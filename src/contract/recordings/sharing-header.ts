/** The request header that contains a link's password. */
export const sharingPasswordHeader = 'x-sharing-password'
