"""Games of Aces Up: counted once each, like hands; kept, told and added up by themselves. No points, no leaderboard."""
