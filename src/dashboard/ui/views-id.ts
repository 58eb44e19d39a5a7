/** Id of the sidebar's element that shows the saved views, which the recordings page renders. */
export const viewsId = 'views'
